#include "report/domain_page.h"

namespace headroom::report {

std::string_view domain_page_style() {
  return R"(
.counts { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: 1rem; margin: 1.25rem 0; max-width: 46rem; }
.counts div { border-left: 3px solid var(--c); padding-left: .75rem; }
.counts strong { display: block; font-size: 1.75rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
.counts span { color: var(--soft); font-size: .9rem; }
.v0 { --c: var(--c2); } .v1 { --c: var(--c4); } .v2 { --c: var(--c1); } .v3 { --c: var(--c6); }
.controls { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: center; margin: 1rem 0 .75rem; font-size: .9rem; }
.controls label { display: inline-flex; gap: .35rem; align-items: center; }
.controls input[type=search] { font: inherit; padding: .3rem .5rem; border: 1px solid var(--rule); background: var(--paper); color: var(--ink); min-width: 0; width: 16rem; max-width: 100%; }
#rows { position: relative; height: 80vh; min-height: 20rem; overflow-y: auto; border-top: 1px solid var(--soft); border-bottom: 1px solid var(--rule); }
#rows:focus-visible { outline: 2px solid var(--link); }
#space { position: relative; }
.candidate { position: absolute; left: 0; right: 0; display: grid; grid-template-columns: 13rem minmax(0, 1fr) minmax(0, 1.5fr); gap: 1rem; padding: .75rem 0; border-bottom: 1px solid var(--rule); overflow: hidden; }
.candidate .words { font-size: .85rem; line-height: 1.4; overflow: hidden; }
.candidate .verdict { color: var(--c); font-weight: 600; }
.candidate .name { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.candidate .smiles { font: .72rem/1.35 ui-monospace, Menlo, Consolas, monospace; color: var(--soft); word-break: break-all; max-height: 2.7em; overflow: hidden; }
.candidate ul { margin: .25rem 0 0; padding-left: 1.1rem; }
.candidate svg { display: block; width: 100%; height: 9rem; }
.near { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: .75rem; }
.near div { font-size: .75rem; line-height: 1.35; color: var(--soft); min-width: 0; overflow: hidden; }
.near b { display: block; font-weight: 500; color: var(--ink); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.alone .candidate { grid-template-columns: 13rem minmax(0, 1fr); }
.alone .candidate svg { height: 7.5rem; }
.structure line { stroke: currentColor; stroke-width: 7; stroke-linecap: round; }
.structure text { font: 600 62px system-ui, sans-serif; fill: currentColor; text-anchor: middle; dominant-baseline: central; paint-order: stroke; stroke: var(--paper); stroke-width: 26px; stroke-linejoin: round; }
.structure circle { fill: var(--c1); fill-opacity: .38; }
.map { position: relative; max-width: 46rem; }
.map canvas { width: 100%; display: block; }
#hint { position: absolute; pointer-events: none; background: var(--panel); border: 1px solid var(--rule); padding: .35rem .5rem; font-size: .8rem; max-width: 16rem; overflow-wrap: anywhere; display: none; }
#hint svg { display: block; width: 11rem; height: 7rem; }
@media screen and (max-width: 56rem) {
  .candidate { grid-template-columns: minmax(0, 1fr); gap: .5rem; align-content: start; }
  .candidate svg { height: 7.5rem; }
  .near svg { height: 5rem; }
  .alone .candidate { grid-template-columns: 7rem minmax(0, 1fr); gap: 1rem; }
  .alone .candidate svg { height: 6rem; }
}
@media print { #rows, .controls { display: none; } }
)";
}

std::string_view domain_page_script() {
  return R"JS('use strict';
(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const verdicts = ['inside', 'borderline', 'outside', 'unreadable'];
  const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const element = (name, css, text) => {
    const made = document.createElement(name);
    if (css) made.className = css;
    if (text !== undefined) made.textContent = text;
    return made;
  };
  const svg = (name, fields) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const key in fields) made.setAttribute(key, fields[key]);
    return made;
  };
  // The layout of a molecule, as headroom wrote it, becomes lines and letters.
  const draw = (layout, foreign) => {
    const picture = svg('svg', {class: 'structure', role: 'img', 'aria-label': 'Structure'});
    if (!layout) return picture;
    let at = 0;
    const number = () => { const n = digits.indexOf(layout[at]) * 64 + digits.indexOf(layout[at + 1]); at += 2; return n; };
    const atoms = [], bar = layout.indexOf('|');
    for (let left = number(); left > 0; --left) atoms.push([number(), number()]);
    let width = 0, height = 0;
    for (const [x, y] of atoms) { width = Math.max(width, x); height = Math.max(height, y); }
    const least = 600, padX = Math.max(90, (least - width) / 2), padY = Math.max(90, (least * .7 - height) / 2);
    picture.setAttribute('viewBox', [-padX, -padY, width + 2 * padX, height + 2 * padY].join(' '));
    for (const i of foreign || []) if (atoms[i]) picture.append(svg('circle', {cx: atoms[i][0], cy: atoms[i][1], r: 60}));
    while (at < bar) {
      const a = atoms[number()], b = atoms[number()], order = +layout[at++];
      const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1;
      const offsets = order === 2 ? [-11, 11] : order === 3 ? [-18, 0, 18] : [0];
      for (const offset of offsets) {
        const ox = -dy / length * offset, oy = dx / length * offset;
        const line = svg('line', {x1: a[0] + ox, y1: a[1] + oy, x2: b[0] + ox, y2: b[1] + oy});
        if (order === 4) line.setAttribute('stroke-dasharray', '20 16');
        picture.append(line);
      }
    }
    for (const label of layout.slice(bar + 1).split(';')) {
      const colon = label.indexOf(':');
      if (colon < 0) continue;
      const atom = atoms[+label.slice(0, colon)];
      const text = svg('text', {x: atom[0], y: atom[1]});
      text.textContent = label.slice(colon + 1);
      picture.append(text);
    }
    return picture;
  };
  const figure = (number, places) => number === null ? '' : number.toPrecision(places);

  // The table: rows of one height, of which those in sight are in the document.
  const box = document.getElementById('rows'), space = document.getElementById('space');
  const search = document.getElementById('search'), count = document.getElementById('shown');
  const checks = [...document.querySelectorAll('.controls input[type=checkbox]')];
  const mostWords = data.rows.reduce((most, row) => Math.max(most, row[9].length), 0);
  let shown = data.rows.map((_, i) => i), rowHeight = 236;
  const present = new Map();
  const make = (row) => {
    const [name, smiles, verdict, p, adjusted, score, percentile, near, atoms, words, layout] = row;
    const made = element('article', 'candidate v' + verdict);
    const left = element('div');
    if (verdict !== 3) left.append(draw(layout, atoms));
    const middle = element('div', 'words');
    middle.append(element('div', 'name', name), element('div', 'verdict', verdicts[verdict]));
    if (verdict !== 3) {
      if (p !== null) middle.append(element('div', '', 'p = ' + figure(p, 2) + ', corrected ' + figure(adjusted, 2)));
      if (score !== null) {
        const beyond = percentile === null ? '' : ', farther than ' + Math.round(percentile) + ' % of ' + data.words[1];
        middle.append(element('div', '', data.words[0] + ' ' + figure(score, 3) + beyond));
      }
    }
    if (words.length) {
      const list = element('ul');
      for (const word of words) list.append(element('li', '', word));
      middle.append(list);
    }
    middle.append(element('div', 'smiles', smiles));
    const right = element('div', 'near');
    for (const [index, tanimoto, apart] of near) {
      const own = element('div'), molecule = data.training[index];
      own.append(draw(molecule[2]), element('b', '', molecule[0]), 'Tanimoto ' + figure(tanimoto, 2) + ', distance ' + figure(apart, 2));
      own.title = molecule[1];
      right.append(own);
    }
    made.append(left, middle);
    if (data.training.length) made.append(right);
    return made;
  };
  const refresh = () => {
    const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - 2);
    const last = Math.min(shown.length, Math.ceil((box.scrollTop + box.clientHeight) / rowHeight) + 2);
    for (const [place, made] of present) if (place < first || place >= last) { made.remove(); present.delete(place); }
    for (let place = first; place < last; ++place) {
      if (present.has(place)) continue;
      const made = make(data.rows[shown[place]]);
      made.style.top = place * rowHeight + 'px';
      made.style.height = rowHeight + 'px';
      present.set(place, made);
      space.append(made);
    }
  };
  const restart = () => {
    for (const made of present.values()) made.remove();
    present.clear();
    const narrow = window.matchMedia('(max-width: 56rem)').matches;
    rowHeight = data.training.length ? (narrow ? 480 : 236) : narrow ? 190 + 40 * mostWords : 150 + 20 * mostWords;
    space.style.height = shown.length * rowHeight + 'px';
    count.textContent = shown.length + ' of ' + data.rows.length + ' shown';
    refresh();
  };
  const choose = () => {
    const wanted = new Set(checks.filter((check) => check.checked).map((check) => +check.value));
    const text = search.value.toLowerCase();
    shown = [];
    data.rows.forEach((row, i) => {
      if (wanted.has(row[2]) && (!text || (row[0] + ' ' + row[1]).toLowerCase().includes(text))) shown.push(i);
    });
    box.scrollTop = 0;
    restart();
  };
  box.addEventListener('scroll', refresh);
  search.addEventListener('input', choose);
  checks.forEach((check) => check.addEventListener('change', choose));

  // The map, where the page has one.
  const canvas = document.getElementById('map'), hint = document.getElementById('hint');
  let paint = () => {};
  if (canvas) {
    const points = data.rows.map((row, i) => [row[11], row[12], i]).filter((point) => point[0] !== null);
    const all = data.places.concat(points);
    let range = [0, 1, 0, 1];
    if (all.length) {
      const xs = all.map((p) => p[0]), ys = all.map((p) => p[1]);
      const reduce = (numbers, pick) => numbers.reduce((a, b) => pick(a, b));
      range = [reduce(xs, Math.min), reduce(xs, Math.max), reduce(ys, Math.min), reduce(ys, Math.max)];
    }
    const placeOf = (p) => [
      12 + (p[0] - range[0]) / ((range[1] - range[0]) || 1) * (canvas.clientWidth - 24),
      12 + (range[3] - p[1]) / ((range[3] - range[2]) || 1) * (canvas.clientHeight - 24)];
    paint = () => {
      const scale = window.devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
      canvas.style.height = Math.round(Math.min(canvas.clientWidth * .7, 460)) + 'px';
      canvas.width = canvas.clientWidth * scale;
      canvas.height = canvas.clientHeight * scale;
      const pen = canvas.getContext('2d');
      pen.scale(scale, scale);
      const colours = ['--c2', '--c4', '--c1', '--c6'].map((name) => style.getPropertyValue(name));
      pen.fillStyle = style.getPropertyValue('--rule');
      for (const p of data.places) { const [x, y] = placeOf(p); pen.beginPath(); pen.arc(x, y, 2, 0, 7); pen.fill(); }
      for (let i = points.length - 1; i >= 0; --i) {
        const [x, y] = placeOf(points[i]);
        pen.fillStyle = colours[data.rows[points[i][2]][2]];
        pen.globalAlpha = .8;
        pen.beginPath(); pen.arc(x, y, 3, 0, 7); pen.fill();
        pen.globalAlpha = 1;
      }
    };
    canvas.addEventListener('pointermove', (event) => {
      const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
      let best = 144, found = null;
      for (const p of points) {
        const [px, py] = placeOf(p), apart = (px - x) ** 2 + (py - y) ** 2;
        if (apart < best) { best = apart; found = data.rows[p[2]]; }
      }
      hint.style.display = found ? 'block' : 'none';
      if (!found) return;
      hint.replaceChildren(draw(found[10], found[8]), element('div', '', found[0] + ': ' + verdicts[found[2]] + ', p = ' + figure(found[3], 2)));
      hint.style.left = Math.max(0, Math.min(x + 12, frame.width - hint.offsetWidth)) + 'px';
      hint.style.top = y + 12 + 'px';
    });
    canvas.addEventListener('pointerleave', () => { hint.style.display = 'none'; });
  }
  const arrange = () => { paint(); restart(); };
  window.addEventListener('resize', arrange);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  arrange();
  document.documentElement.dataset.ready = 'yes';
})();
)JS";
}

}  // namespace headroom::report
