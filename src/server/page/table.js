// A table of any length with sorting and filtering. Only the visible rows are elements of the page.

import { isImplausible, numberOf, shortNumber as number, titleOf, valuesOf } from './tasks.js';

const rowHeight = 44;
const order = { outside: 0, borderline: 1, inside: 2, predicted: 2, unreadable: 3 };

const remarks = (row) => [row.reason, row.foreign, row.prediction_doubt].filter(Boolean).join('; ');
const interval = (row) => (typeof row.prediction_lower === 'number'
  ? `${number(row.prediction_lower)} to ${number(row.prediction_upper)}` : row.prediction_set || '');

/** The columns of one task. A multiclass task has one for each class. */
const columnsOfTask = (task) => valuesOf(task).map((column, place, all) => ({
  title: titleOf(task) + (all.length > 1 ? `, class ${place}` : '') + (task.unit ? ` (${task.unit})` : ''),
  text: (row) => number(numberOf(row, column)),
  key: (row) => numberOf(row, column) ?? Infinity,
  mark: (row) => (isImplausible(task, row) ? 'implausible' : ''),
  width: '7rem',
  wide: true,
}));

/** The columns of the calibrated prediction of a domain. */
function columnsOfCalibration({ predictions, tasks }) {
  const column = predictions.prediction_column;
  const prediction = { title: column.replace(/^predicted_/, ''), text: (row) => number(row.predictions?.[column]), key: (row) => row.predictions?.[column] ?? Infinity, width: '6rem', wide: true };
  return [
    ...(tasks?.length ? [prediction] : []),
    { title: predictions.kind === 'regression' ? 'Interval' : 'Classes', text: interval, key: (row) => row.prediction_lower ?? Infinity, width: '8rem' },
    { title: 'Decision', text: (row) => row.decision || '', key: (row) => row.decision || '', width: '6rem', wide: true },
  ];
}

/** Returns the columns: title, cell text, sort key and width. Narrow screens omit columns with `wide`. */
function columnsOf(model, tasks, rows) {
  const kind = model.kind;
  const line = { title: 'Line', text: (row) => row.line, key: (row) => row.line, width: '4rem', wide: true };
  const name = { title: 'Name', text: (row) => row.name || row.smiles, key: (row) => (row.name || row.smiles).toLowerCase(), width: 'minmax(0, 1fr)' };
  const smiles = { title: 'SMILES', text: (row) => row.smiles, key: (row) => row.smiles, css: 'smiles', width: 'minmax(0, 1.6fr)', wide: true };
  const remark = { title: 'Remark', text: remarks, key: remarks, width: 'minmax(0, 2fr)', wide: true };
  const verdict = { title: kind === 'chemprop' ? 'State' : 'Verdict', text: (row) => row.verdict, key: (row) => order[row.verdict] ?? 4, css: 'word', width: '7.5rem' };
  if (kind === 'chemprop') {
    const columns = tasks.flatMap(columnsOfTask);
    if (columns.length) columns[0].wide = false;
    return [line, verdict, name, smiles, ...columns, { ...remark, width: 'minmax(0, 1fr)' }];
  }
  if (kind === 'domain') {
    const hasIntervals = Boolean(model.predictions) && rows.some((row) => 'prediction_lower' in row || 'prediction_set' in row);
    return [line, verdict, name, smiles, ...(hasIntervals ? columnsOfCalibration(model) : []), ...tasks.flatMap(columnsOfTask),
      { title: 'p-value', text: (row) => number(row.p_value), key: (row) => row.p_value ?? 9, width: '5rem', wide: hasIntervals },
      { title: 'Distance', text: (row) => number(row.distance), key: (row) => -(row.distance ?? -Infinity), width: '5rem', wide: true },
      { ...remark, title: 'Unfamiliar substructures' }];
  }
  return [line, verdict, name, smiles,
    { title: 'Score', text: (row) => number(row.score), key: (row) => -(row.score ?? -Infinity), width: '6rem' },
    { title: 'Resembles training OOD', text: (row) => number(row.resembles_training_ood), key: (row) => -(row.resembles_training_ood ?? -1), width: '6rem', wide: true },
    remark];
}

export class Table {
  constructor(elements, open) {
    this.head = elements.head;
    this.rows = elements.rows;
    this.space = elements.space;
    this.table = elements.table;
    this.open = open;
    this.rows.addEventListener('scroll', () => requestAnimationFrame(() => this.draw()));
    this.rows.addEventListener('click', (event) => {
      const row = event.target.closest('[role=row]');
      if (row) this.choose(Number(row.dataset.place), true);
    });
    this.rows.addEventListener('keydown', (event) => this.key(event));
    addEventListener('resize', () => this.draw());
  }

  show(all, model, tasks) {
    this.all = all;
    this.passes = () => true;
    this.sorted = { column: 1, turned: false };
    this.setColumns(model, tasks);
  }

  /** Shows the predictions of these tasks. Keeps the filter. */
  setColumns(model, tasks) {
    this.columns = columnsOf(model, tasks, this.all);
    if (this.sorted.column >= this.columns.length) this.sorted = { column: 1, turned: false };
    this.table.style.setProperty('--columns', this.columns.map((column) => column.width).join(' '));
    this.table.style.setProperty('--narrow-columns', this.columns.filter((column) => !column.wide).map((column) => column.width).join(' '));
    this.head.replaceChildren(...this.columns.map((column, place) => {
      const cell = document.createElement('div');
      cell.setAttribute('role', 'columnheader');
      if (column.wide) cell.className = 'wide';
      const button = document.createElement('button');
      button.type = 'button';
      button.textContent = column.title;
      button.addEventListener('click', () => this.sort(place));
      cell.append(button);
      return cell;
    }));
    this.arrange();
  }

  sort(column) {
    this.sorted = { column, turned: this.sorted.column === column && !this.sorted.turned };
    this.arrange();
  }

  filter(passes) {
    this.passes = passes;
    this.arrange();
  }

  arrange() {
    const { column, turned } = this.sorted;
    const { key } = this.columns[column];
    this.seen = this.all.filter(this.passes).map((row) => [key(row), row]);
    this.seen.sort(([a, rowA], [b, rowB]) => (a < b ? -1 : a > b ? 1 : rowA.row - rowB.row));
    if (turned) this.seen.reverse();
    this.seen = this.seen.map(([, row]) => row);
    [...this.head.children].forEach((cell, place) => {
      cell.setAttribute('aria-sort', place !== column ? 'none' : turned ? 'descending' : 'ascending');
      cell.firstChild.textContent = this.columns[place].title + (place !== column ? '' : turned ? ' ↑' : ' ↓');
    });
    this.table.setAttribute('aria-rowcount', this.seen.length + 1);
    this.space.style.height = `${this.seen.length * rowHeight}px`;
    this.rows.style.height = `${Math.max(1, this.seen.length) * rowHeight + 1}px`;
    this.rows.scrollTop = 0;
    this.chosen = 0;
    this.draw();
  }

  draw() {
    if (!this.seen) return;
    const first = Math.max(0, Math.floor(this.rows.scrollTop / rowHeight) - 5);
    const last = Math.min(this.seen.length, first + Math.ceil(this.rows.clientHeight / rowHeight) + 10);
    const drawn = [];
    for (let place = first; place < last; ++place) drawn.push(this.element(place));
    this.space.replaceChildren(...drawn);
  }

  element(place) {
    const row = this.seen[place];
    const line = document.createElement('div');
    line.setAttribute('role', 'row');
    line.setAttribute('aria-rowindex', place + 2);
    line.dataset.place = place;
    line.style.top = `${place * rowHeight}px`;
    if (place === this.chosen) line.className = 'chosen';
    for (const column of this.columns) {
      const cell = document.createElement('div');
      cell.setAttribute('role', 'cell');
      cell.textContent = column.text(row);
      cell.className = `${column.css || ''} ${column.css === 'word' ? row.verdict : ''} ${column.wide ? 'wide' : ''} ${column.mark?.(row) || ''}`;
      if (column.mark?.(row)) cell.title = 'outside the plausible range';
      line.append(cell);
    }
    return line;
  }

  choose(place, opens) {
    if (!this.seen.length) return;
    this.chosen = Math.max(0, Math.min(this.seen.length - 1, place));
    const top = this.chosen * rowHeight;
    if (top < this.rows.scrollTop) this.rows.scrollTop = top;
    if (top + rowHeight > this.rows.scrollTop + this.rows.clientHeight) this.rows.scrollTop = top + rowHeight - this.rows.clientHeight;
    this.draw();
    if (opens) this.open(this.seen[this.chosen]);
  }

  key(event) {
    const page = Math.floor(this.rows.clientHeight / rowHeight);
    const to = { ArrowDown: this.chosen + 1, ArrowUp: this.chosen - 1, PageDown: this.chosen + page, PageUp: this.chosen - page, Home: 0, End: Infinity }[event.key];
    if (to === undefined && event.key !== 'Enter') return;
    event.preventDefault();
    this.choose(to === undefined ? this.chosen : to, event.key === 'Enter');
  }
}
