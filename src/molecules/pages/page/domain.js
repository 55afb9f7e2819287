// The script of the pages with candidates: molgauge domain, score --page and report --score.
// It reads the JSON in the element #data (domain_page.cpp writes it). Names and SMILES are only ever set as text.
'use strict';
(() => {
  const rowsAtOnce = 25, mostPrinted = 1000;
  const data = JSON.parse(document.getElementById('data').textContent);
  const rows = data.rows.map((values) => Object.fromEntries(data.columns.map((name, i) => [name, values[i]])));
  const verdicts = ['inside', 'borderline', 'outside', 'unreadable'], unreadable = 3;
  const decisions = ['use', 'check', 'drop'];
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
  const inScript = (text, script) => [...text].map((one) => script['0123456789+-'.indexOf(one)] || one).join('');
  const superscript = (text) => inScript(text, '⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻'), subscript = (text) => inScript(text, '₀₁₂₃₄₅₆₇₈₉₊₋');
  // A number with this many significant digits: 0.0123, 4.5 × 10⁻⁷.
  const figure = (number, places) => {
    const size = Math.abs(number);
    if (size === 0 || (size >= 1e-4 && size < 1e7)) return String(Number(number.toPrecision(places)));
    const [factor, power] = number.toExponential(places - 1).split('e');
    return `${factor} × 10${superscript(power.replace('+', ''))}`;
  };
  const count = (number) => number.toLocaleString('en');

  // "13CH3", "NH3+" and "Ca2+" as chemists write them: ¹³CH₃, NH₃⁺, Ca²⁺.
  const typeset = (label) => {
    const found = /^(\d*)([A-Z*][a-z]?)(H?)(\d*)(.*)$/.exec(label);
    if (!found) return label;
    const [, isotope, symbol, hydrogen, digitsAfter, charge] = found;
    return superscript(isotope) + symbol + hydrogen + (hydrogen ? subscript(digitsAfter) + superscript(charge) : superscript(digitsAfter + charge));
  };

  // Draws a layout of encoded_layout() (domain_layout.cpp) as lines and letters.
  // `colouredAtoms`: atom numbers, each of which may have the fields of its circle.
  const draw = (layout, colouredAtoms, fieldsOf = () => ({})) => {
    const picture = svg('svg', { class: 'structure', role: 'img', 'aria-label': 'Structure' });
    if (!layout) return picture;
    let at = 0;
    const number = () => { const n = digits.indexOf(layout[at]) * 64 + digits.indexOf(layout[at + 1]); at += 2; return n; };
    const atoms = [], bar = layout.indexOf('|');
    for (let left = number(); left > 0; --left) atoms.push([number(), number()]);
    let width = 0, height = 0;
    for (const [x, y] of atoms) { width = Math.max(width, x); height = Math.max(height, y); }
    const least = 600, padX = Math.max(90, (least - width) / 2), padY = Math.max(90, (least * 0.7 - height) / 2);
    picture.setAttribute('viewBox', [-padX, -padY, width + 2 * padX, height + 2 * padY].join(' '));
    let solid = '', dashed = '';
    while (at < bar) {
      const a = atoms[number()], b = atoms[number()], order = +layout[at++];
      const dx = b[0] - a[0], dy = b[1] - a[1], length = Math.hypot(dx, dy) || 1;
      const offsets = order === 2 ? [-11, 11] : order === 3 ? [-18, 0, 18] : [0];
      for (const offset of offsets) {
        const ox = -dy / length * offset, oy = dx / length * offset;
        const line = `M${Math.round(a[0] + ox)} ${Math.round(a[1] + oy)}L${Math.round(b[0] + ox)} ${Math.round(b[1] + oy)}`;
        if (order === 4) dashed += line;
        else solid += line;
      }
    }
    if (solid) picture.append(svg('path', { d: solid }));
    if (dashed) picture.append(svg('path', { d: dashed, 'stroke-dasharray': '20 16' }));
    // Labels cover the ends of the bonds. Colours come above the covers, and texts above everything.
    const texts = [];
    for (const label of layout.slice(bar + 1).split(';')) {
      const colon = label.indexOf(':');
      if (colon < 0) continue;
      const [x, y] = atoms[+label.slice(0, colon)], text = svg('text', { x, y });
      text.textContent = typeset(label.slice(colon + 1));
      texts.push(text);
      const half = 16 + 17 * text.textContent.length;
      picture.append(svg('rect', { x: x - half, y: y - 38, width: 2 * half, height: 76, rx: 30 }));
    }
    for (const i of colouredAtoms || []) if (atoms[i]) picture.append(svg('circle', { cx: atoms[i][0], cy: atoms[i][1], r: 60, ...fieldsOf(i) }));
    picture.append(...texts);
    return picture;
  };

  // A list of numbers, each with its name. The explanation of the name is its tooltip.
  const numberList = () => {
    const list = element('dl', 'numbers');
    const add = (term, value) => {
      const line = element('div'), name = element('dt'), word = element('abbr', '', term.name);
      word.title = term.meaning;
      name.append(word);
      line.append(name, element('dd', '', value));
      list.append(line);
    };
    return { list, add };
  };
  const scoreText = (row) => {
    // 99.97 % is not rounded to 100 %, which would mean all.
    const share = row.percentile > 99 ? Math.floor(row.percentile * 10) / 10 : Math.round(row.percentile);
    const beyond = row.percentile === null ? '' : `, ${data.words.percentile.replace('{}', `${share} %`)}`;
    return figure(row.score, 3) + beyond;
  };
  const valueText = (molecule) => (molecule.value === null ? 'not measured' : figure(molecule.value, 6));
  const training = data.training.map(([name, smiles, layout, value, prediction]) => ({ name, smiles, layout, value, prediction }));

  const nearestPart = (row) => {
    const part = element('div', 'near');
    if (row.nearest.length) part.append(element('p', '', 'Nearest training molecules'));
    for (const [index, tanimoto, distance] of row.nearest) {
      const molecule = training[index], own = element('div'), numbers = numberList();
      own.title = `${molecule.name}\n${molecule.smiles}`;
      if (data.terms.value) numbers.add(data.terms.value, valueText(molecule));
      if (data.terms.prediction && molecule.prediction !== null) {
        numbers.add(data.terms.prediction, figure(molecule.prediction, 4));
      }
      if (tanimoto !== null) numbers.add(data.terms.tanimoto, figure(tanimoto, 2));
      if (distance !== null) numbers.add(data.terms.neighbour, figure(distance, 2));
      own.append(draw(molecule.layout), element('b', '', molecule.name), numbers.list);
      part.append(own);
    }
    return part;
  };
  // The contributions of the parts of a molecule to the chosen task: a drawing, and the largest changes in words.
  let contributedTask = 0;
  const signed = (change) => (change > 0 ? '+' : '−') + figure(Math.abs(change), 2);
  const contributions = (row) => {
    const [layout, parts, changes] = row.contributions, own = changes[contributedTask];
    const made = element('figure'), largest = Math.max(...own.map(Math.abs)), most = Math.max(...own), least = Math.min(...own);
    if (!(largest > 0)) return made;
    made.append(draw(layout, parts.map((_, atom) => atom), (atom) => {
      const change = own[parts[atom]];
      return { class: change > 0 ? 'raises' : 'lowers', 'fill-opacity': (0.7 * Math.abs(change) / largest).toFixed(2) };
    }));
    const words = [most > 0 ? `${signed(most)} (darkest blue)` : '', least < 0 ? `${signed(least)} (darkest pink)` : ''].filter(Boolean);
    made.append(element('figcaption', '', `Contributions to ${data.contributed[contributedTask]}: up to ${words.join(' and ')}`));
    made.title = data.terms.contribution.meaning;
    return made;
  };
  // Why a prediction is not simply used: the reasons of the decision, of the verdict and of the second opinion. The
  // verdict is next to them, so reasons that only repeat it are left out.
  const whyOf = (row) => [
    ...row.reasons.map((reason) => data.reasons[reason]).filter((words) => !words.startsWith(verdicts[row.verdict])),
    row.reason, row.doubt].filter(Boolean);
  // The facts on the cards. If some are not shown at first, the reader chooses.
  const shownFacts = new Set(data.facts.flatMap((fact, i) => (fact.shown ? [i] : [])));
  const candidate = (row) => {
    const made = element('article', `candidate v${row.verdict}`), picture = element('div'), text = element('div', 'words');
    made.tabIndex = -1;
    made.setAttribute('aria-label', `${row.name}: ${decisions[row.decision]}, ${verdicts[row.verdict]}`);
    const heading = element('div'), why = whyOf(row);
    heading.append(element('span', `decision d${row.decision}`, decisions[row.decision]), ' · ', element('span', 'verdict', verdicts[row.verdict]));
    text.append(element('div', 'name', row.name), heading);
    if (why.length) {
      const list = element('ul', 'why');
      for (const reason of why) list.append(element('li', '', reason));
      text.append(list);
    }
    if (row.verdict !== unreadable) {
      const numbers = numberList();
      picture.append(draw(row.layout, row.atoms));
      if (row.contributions) picture.append(contributions(row));
      if (row.p !== null) numbers.add(data.terms.p, figure(row.p, 2));
      if (row.pNew !== null) numbers.add(data.terms.pNew, figure(row.pNew, 2));
      if (row.q !== null) numbers.add(data.terms.q, figure(row.q, 2));
      if (row.score !== null) numbers.add(data.terms.score, scoreText(row));
      row.facts.forEach((fact, i) => { if (fact && shownFacts.has(i)) numbers.add(data.facts[i], fact); });
      text.append(numbers.list);
    }
    if (row.words.length) {
      const list = element('ul');
      for (const word of row.words) list.append(element('li', '', word));
      text.append(list);
    }
    text.append(element('div', 'smiles', row.smiles));
    made.append(picture, text);
    if (training.length) made.append(nearestPart(row));
    return made;
  };

  // The list. A screen shows 25 candidates at once, because thousands of drawings slow a browser down.
  const box = document.getElementById('rows'), search = document.getElementById('search');
  const shownText = document.getElementById('shown'), printedText = document.getElementById('printed');
  const orderBox = document.getElementById('order'), turn = document.getElementById('turn');
  const checks = [...document.querySelectorAll('.controls input[type=checkbox]')];
  const steps = [...document.querySelectorAll('.pager button')];
  const groups = [...document.querySelectorAll('.decisions button')];

  // The orders of the list: a name and the key of a row. The first order is the order of the file, farthest first.
  const heavyAtoms = (row) => (row.layout ? (digits.indexOf(row.layout[0]) * 64 + digits.indexOf(row.layout[1])) - (row.layout.match(/:\d*H[+-]?;/g) || []).length : null);
  const has = (key) => rows.some((row) => key(row) !== null && key(row) !== undefined);
  const orders = [
    [`verdict and ${data.terms.score.name}, farthest first`, (row, i) => i],
    ['decision', (row) => row.decision],
    ['name', (row) => row.name.toLowerCase()],
    ['place in the file', (row) => row.position],
    [data.terms.p.name, (row) => row.p],
    [data.terms.pNew && data.terms.pNew.name, (row) => row.pNew],
    [data.terms.q.name, (row) => row.q],
    [data.terms.score.name, (row) => row.score],
    ['heavy atoms', heavyAtoms],
    ['Tanimoto to the nearest molecule', (row) => (row.nearest.length ? Math.max(...row.nearest.map((near) => near[1])) : null)],
    ...data.orders.map((name, place) => [name, (row) => row.orders[place]]),
  ].filter(([name, key]) => name && (key.length > 1 || has(key)));
  orderBox.append(...orders.map(([name], i) => new Option(name, i)));
  let isTurned = false;
  // Rows without the number come last in both directions. Equal rows stay in the order of the file.
  const compare = (one, other) => {
    const missing = (key) => key === null || key === undefined;
    if (missing(one) || missing(other)) return missing(one) - missing(other);
    const order = typeof one === 'string' ? one.localeCompare(other, 'en', { numeric: true }) : one - other;
    return isTurned ? -order : order;
  };

  let matching = rows.map((_, i) => i), first = 0, printing = false, wantedGroup = null;
  const isWanted = (row) => wantedGroup === null
    || (wantedGroup.decision !== undefined ? row.decision === +wantedGroup.decision : row.reasons.includes(+wantedGroup.reason));
  const part = () => (printing ? matching.slice(0, mostPrinted) : matching.slice(first, first + rowsAtOnce));
  const ofAll = () => (matching.length < rows.length ? `${count(matching.length)} of ${count(rows.length)}` : count(rows.length));
  const fill = () => {
    const shown = part();
    box.replaceChildren(...shown.map((i) => candidate(rows[i])));
    const range = shown.length ? `: ${count(first + 1)} to ${count(first + shown.length)} shown` : '';
    const only = wantedGroup === null ? '' : ` (${wantedGroup.decision !== undefined ? decisions[wantedGroup.decision] : data.reasons[wantedGroup.reason]})`;
    shownText.textContent = `${ofAll()} candidates${only}${range}`;
    for (const button of steps) {
      button.disabled = button.dataset.step < 0 ? first === 0 : first + rowsAtOnce >= matching.length;
    }
    for (const button of groups) button.setAttribute('aria-pressed', String(button.dataset === wantedGroup));
    turn.textContent = isTurned ? 'Descending ↓' : 'Ascending ↑';
    const left = matching.length - Math.min(matching.length, mostPrinted);
    printedText.textContent = (left ? `This print lists the first ${count(mostPrinted)} of ${count(matching.length)} candidates. ${count(left)} are left out. The CSV file contains all.`
                                    : `This print lists ${ofAll()} candidates.`)
      + (matching.length < rows.length ? ' The reader has filtered the list.' : '');
  };
  const choose = () => {
    const wanted = new Set(checks.filter((check) => check.checked).map((check) => +check.value));
    const text = search.value.toLowerCase(), key = orders[orderBox.selectedIndex][1];
    const keys = rows.map(key);
    matching = [];
    rows.forEach((row, i) => {
      if (wanted.has(row.verdict) && isWanted(row) && (!text || `${row.name} ${row.smiles}`.toLowerCase().includes(text))) matching.push(i);
    });
    matching.sort((one, other) => compare(keys[one], keys[other]) || one - other);
    first = 0;
    fill();
  };
  if (data.contributed.length > 1) {
    const label = element('label', '', 'Contributions to '), choice = element('select');
    choice.append(...data.contributed.map((name, i) => new Option(name, i)));
    choice.addEventListener('change', () => {
      contributedTask = choice.selectedIndex;
      fill();
    });
    label.append(choice);
    document.querySelector('.controls').append(label);
  }
  if (data.facts.some((fact) => !fact.shown)) {
    const chooser = element('details', 'facts');
    chooser.append(element('summary', '', 'Numbers on the cards'));
    data.facts.forEach((fact, i) => {
      const label = element('label'), choice = element('input');
      choice.type = 'checkbox';
      choice.checked = fact.shown;
      choice.addEventListener('change', () => {
        if (choice.checked) shownFacts.add(i);
        else shownFacts.delete(i);
        fill();
      });
      label.title = fact.meaning;
      label.append(choice, ` ${fact.name}`);
      chooser.append(label);
    });
    box.before(chooser);
  }
  // Shows the candidate with this index in the list, whatever the reader has filtered.
  const reveal = (index) => {
    if (!matching.includes(index)) {
      search.value = '';
      for (const check of checks) check.checked = true;
      wantedGroup = null;
      choose();
    }
    const place = matching.indexOf(index);
    first = place - place % rowsAtOnce;
    fill();
    const made = box.children[place - first];
    made.focus({ preventScroll: true });
    made.scrollIntoView({ block: 'center' });
  };
  search.addEventListener('input', choose);
  for (const check of checks) check.addEventListener('change', choose);
  orderBox.addEventListener('change', choose);
  turn.addEventListener('click', () => {
    isTurned = !isTurned;
    choose();
  });
  for (const button of groups) {
    button.addEventListener('click', () => {
      wantedGroup = button.dataset === wantedGroup ? null : button.dataset;
      for (const check of checks) check.checked = true;
      choose();
      if (wantedGroup) document.querySelector('.controls').scrollIntoView();
    });
  }
  for (const button of steps) {
    button.addEventListener('click', () => {
      first = Math.max(0, first + button.dataset.step * rowsAtOnce);
      fill();
      box.scrollIntoView();
    });
  }

  // The map: training molecules below, candidates above, the farthest on top. A ring marks the chosen molecule.
  const margin = 12, reach = 12;
  const makeMap = (canvas, hint, ring) => {
    const points = rows.map((row, i) => ({ x: row.x, y: row.y, row, index: i })).filter((point) => point.x !== null);
    const places = data.places.map(([x, y, index]) => ({ x, y, molecule: training[index] }));
    const least = (key) => [...places, ...points].reduce((low, point) => Math.min(low, point[key]), Infinity);
    const most = (key) => [...places, ...points].reduce((high, point) => Math.max(high, point[key]), -Infinity);
    const left = least('x'), width = most('x') - left || 1, top = most('y'), height = top - least('y') || 1;
    const placeOf = (point) => [
      margin + (point.x - left) / width * (canvas.clientWidth - 2 * margin),
      margin + (top - point.y) / height * (canvas.clientHeight - 2 * margin)];
    let chosen = null;
    const paint = () => {
      const scale = window.devicePixelRatio || 1, style = getComputedStyle(document.documentElement);
      // While a page is printed, getComputedStyle still returns the colours of the screen.
      const paper = { '--map-training': '#b4bac1', '--c2': '#009e73', '--c4': '#b97f00', '--c1': '#d55e00', '--c6': '#444444', '--ink': '#000000' };
      const colour = (name) => (printing ? paper[name] : style.getPropertyValue(name));
      const pixels = canvas.clientWidth || 700;
      canvas.width = pixels * scale;
      canvas.height = Math.round(Math.min(pixels * 0.7, 460)) * scale;
      const pen = canvas.getContext('2d');
      pen.scale(scale, scale);
      const dot = (point, radius) => { pen.beginPath(); pen.arc(...placeOf(point), radius, 0, 7); };
      pen.fillStyle = colour('--map-training');
      for (const place of places) { dot(place, 2); pen.fill(); }
      const colours = ['--c2', '--c4', '--c1', '--c6'].map(colour);
      pen.globalAlpha = 0.8;
      for (const point of [...points].reverse()) { pen.fillStyle = colours[point.row.verdict]; dot(point, 3); pen.fill(); }
      pen.globalAlpha = 1;
    };
    const describe = (point) => {
      if (!point.row) {
        const { molecule } = point, lines = [draw(molecule.layout), element('b', '', molecule.name), element('div', '', 'training molecule')];
        if (!molecule.layout) lines[0] = element('div', 'smiles', molecule.smiles);
        if (data.terms.value) lines.push(element('div', '', `${data.terms.value.name} ${valueText(molecule)}`));
        return lines;
      }
      const { row } = point, lines = [draw(row.layout, row.atoms), element('b', '', row.name), element('div', '', verdicts[row.verdict])];
      if (row.score !== null) lines.push(element('div', '', `${data.terms.score.name} ${scoreText(row)}`));
      if (row.p !== null) lines.push(element('div', '', `${data.terms.p.name} ${figure(row.p, 2)}`));
      return lines;
    };
    const choosePoint = (point) => {
      if (point !== chosen) {
        chosen = point;
        hint.replaceChildren(...(point ? describe(point) : []));
      }
      hint.style.visibility = ring.style.visibility = point ? 'visible' : 'hidden';
      if (!point) return;
      const [x, y] = placeOf(point);
      ring.style.transform = `translate(${canvas.offsetLeft + x}px, ${canvas.offsetTop + y}px)`;
      const below = y + 12 + hint.offsetHeight <= canvas.clientHeight || y < canvas.clientHeight / 2;
      hint.style.left = `${Math.max(0, Math.min(x + 12, canvas.clientWidth - hint.offsetWidth))}px`;
      hint.style.top = `${canvas.offsetTop + (below ? y + 12 : y - 12 - hint.offsetHeight)}px`;
    };
    // The nearest point within reach. A candidate comes before a training molecule at the same place.
    const pointAt = (event) => {
      const frame = canvas.getBoundingClientRect(), x = event.clientX - frame.left, y = event.clientY - frame.top;
      let found = null, best = reach ** 2;
      const look = (point, handicap) => {
        const [px, py] = placeOf(point), apart = (px - x) ** 2 + (py - y) ** 2 + handicap;
        if (apart < best) { best = apart; found = point; }
      };
      for (const point of points) look(point, 0);
      for (const place of places) look(place, 9);
      return found;
    };
    for (const name of ['pointermove', 'pointerdown']) canvas.addEventListener(name, (event) => choosePoint(pointAt(event)));
    canvas.addEventListener('pointerleave', () => choosePoint(null));
    canvas.addEventListener('blur', () => choosePoint(null));
    canvas.addEventListener('click', (event) => {
      const point = pointAt(event);
      if (point && point.row && event.pointerType !== 'touch') reveal(point.index);
    });
    canvas.addEventListener('keydown', (event) => {
      if (!points.length) return;
      const at = points.indexOf(chosen), last = points.length - 1;
      const target = { ArrowRight: Math.min(at + 1, last), ArrowDown: Math.min(at + 1, last), ArrowLeft: Math.max(at - 1, 0),
        ArrowUp: Math.max(at - 1, 0), Home: 0, End: last }[event.key];
      if (target !== undefined) choosePoint(points[target]);
      else if (event.key === 'Enter' && at >= 0) reveal(points[at].index);
      else if (event.key === 'Escape') choosePoint(null);
      else return;
      event.preventDefault();
    });
    return paint;
  };
  const canvas = document.getElementById('map');
  const paint = canvas ? makeMap(canvas, document.getElementById('hint'), document.getElementById('ring')) : () => {};

  // A print contains every matching candidate and all settings.
  const print = (starts) => {
    if (starts === printing) return;
    printing = starts;
    for (const details of document.querySelectorAll('details')) {
      if (starts) details.dataset.open = details.open ? 'yes' : '';
      details.open = starts || details.dataset.open === 'yes';
    }
    fill();
    paint();
  };
  window.addEventListener('beforeprint', () => print(true));
  window.addEventListener('afterprint', () => print(false));
  window.addEventListener('resize', paint);
  window.matchMedia('(prefers-color-scheme: dark)').addEventListener('change', paint);
  choose();
  paint();
  document.documentElement.dataset.ready = 'yes';
})();
