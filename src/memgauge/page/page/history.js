'use strict';
(() => {
  const size = bytes => {
    const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
    let unit = 0;
    for (; bytes >= 1024 && unit < 4; ++unit) bytes /= 1024;
    return (bytes >= 100 || unit === 0 ? bytes.toFixed(0) : bytes.toPrecision(3)) + ' ' + units[unit];
  };
  const data = figure => JSON.parse(document.getElementById(figure.id + '-data').textContent);

  for (const views of document.querySelectorAll('.views')) {
    const choice = views.querySelector('select');
    choice.addEventListener('change', () => {
      for (const figure of views.querySelectorAll('figure')) figure.hidden = figure.dataset.by !== choice.value;
    });
  }

  for (const figure of document.querySelectorAll('figure.history')) {
    const {series, points, hasTimes} = data(figure);
    const svg = figure.querySelector(':scope > svg'), note = figure.querySelector('.hover');
    svg.addEventListener('pointermove', event => {
      const box = svg.getBoundingClientRect();
      const x = (event.clientX - box.left) / box.width * 960;
      let nearest = points[0];
      for (const point of points) if (Math.abs(point[0] - x) < Math.abs(nearest[0] - x)) nearest = point;
      const lines = series.map((one, index) => [nearest[3][index], one]).filter(([bytes]) => bytes > 0)
        .sort((left, right) => right[0] - left[0]).slice(0, 4)
        .map(([bytes, one]) => size(bytes) + '  ' + one.name + (one.frames.length > 1 ? '  < ' + one.frames.slice(1).join(' < ') : ''));
      const sum = nearest[3].reduce((left, right) => left + right, 0);
      note.textContent = (hasTimes ? nearest[2].toFixed(3) + ' s, ' : '') + 'event ' + nearest[1] + ': ' + size(sum) + ' in use\n' + lines.join('\n');
    });
  }

  for (const figure of document.querySelectorAll('figure.states')) {
    const all = data(figure), slider = figure.querySelector('input'), output = figure.querySelector('output');
    let most = 1;
    for (const list of [all.states, all.cured]) for (const state of list) for (const group of state.groups) most = Math.max(most, group[0] * group[1]);
    const part = (bar, css, bytes, whole, title) => {
      if (bytes <= 0) return;
      const span = document.createElement('span');
      span.className = css;
      span.style.width = (100 * bytes / whole) + '%';
      span.title = title;
      bar.append(span);
    };
    const show = (target, state) => {
      target.replaceChildren();
      if (!state) { target.textContent = 'The run ended before this moment.'; return; }
      for (const [each, count, held, pending, free, expandable, pool] of state.groups) {
        const row = document.createElement('div'), label = document.createElement('span'), bar = document.createElement('div');
        row.className = 'row';
        bar.className = 'bar';
        label.textContent = (count > 1 ? count + ' of ' : '') + size(each) + (expandable ? ', expandable' : '') + (pool ? ', pool ' + pool : '');
        const whole = each * count;
        bar.style.width = (100 * whole / most) + '%';
        held.forEach((bytes, index) => part(bar, 's' + index, bytes, whole, size(bytes) + ' ' + all.series[index].name));
        part(bar, 'pending', pending, whole, size(pending) + ' freed, but another stream may still use it');
        row.append(label, bar);
        target.append(row);
      }
      if (state.more > 0) {
        const rest = document.createElement('p');
        rest.textContent = state.more + ' smaller groups are not shown.';
        target.append(rest);
      }
    };
    const update = () => {
      const index = Number(slider.value);
      output.textContent = 'event ' + all.states[index].event;
      for (const target of figure.querySelectorAll('.groups')) show(target, all[target.dataset.of][index]);
    };
    slider.addEventListener('input', update);
    update();
  }
})();
