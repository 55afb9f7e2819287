// The tasks of a chemprop model: their names, units and plausible ranges, and the choice of the tasks in the table.

export const shortNumber = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(3))) : '');

/** The columns of a task with predictions. The other columns are uncertainties and percentiles. */
export const valuesOf = (task) => (task.head.startsWith('multiclass')
  ? task.columns.filter((column) => /_class_\d+$/.test(column))
  : task.columns.slice(0, 1));

export const titleOf = (task) => task.title || task.name;

/** Returns the number of a column. Columns of a domain with a model have a prefix. */
export const numberOf = (row, column) => row.predictions?.[column] ?? row.predictions?.[`predicted_${column}`];

/** Whether a prediction of the task is outside the plausible range, for example a negative half-life. */
export function isImplausible(task, row) {
  const value = numberOf(row, task.columns[0]);
  return typeof value === 'number'
    && ((typeof task.lowest === 'number' && value < task.lowest) || (typeof task.highest === 'number' && value > task.highest));
}

/** Returns "12.3 ± 0.4 µL/min/mg". */
export function textOf(task, row) {
  const spread = task.columns.find((column) => /_(ensemble_std|std)$/.test(column));
  return valuesOf(task).map((column) => {
    const value = shortNumber(numberOf(row, column));
    if (!value) return '';
    const suffix = column.match(/_(class_\d+)$/);
    const error = spread && !suffix ? shortNumber(numberOf(row, spread)) : '';
    return [suffix ? `${suffix[1].replace('_', ' ')}:` : '', value, error ? `± ${error}` : '', task.unit || ''].filter(Boolean).join(' ');
  }).filter(Boolean).join(', ');
}

export function percentileOf(task, row) {
  const column = task.columns.find((one) => one.endsWith('_drugbank_approved_percentile'));
  return column ? numberOf(row, column) : undefined;
}

/** The tasks in the order of their importance. */
export const ordered = (tasks) => [...tasks].sort((a, b) => (a.importance ?? 0) - (b.importance ?? 0));

/** Shows a check box for each task, by category. Calls `changed` with the chosen tasks. `count`: number of tasks that are chosen at first. Returns these tasks. */
export function showChoice(place, tasks, count, changed) {
  const all = ordered(tasks);
  const chosen = new Set(all.slice(0, count));
  const inOrder = () => all.filter((task) => chosen.has(task));
  place.replaceChildren(...[...new Set(all.map((task) => task.category))].map((category) => {
    const group = document.createElement('fieldset');
    const legend = document.createElement('legend');
    legend.textContent = category || 'tasks';
    group.append(legend, ...all.filter((task) => task.category === category).map((task) => {
      const label = document.createElement('label');
      const box = document.createElement('input');
      box.type = 'checkbox';
      box.checked = chosen.has(task);
      box.value = task.name;
      box.addEventListener('change', () => {
        if (box.checked) chosen.add(task);
        else chosen.delete(task);
        changed(inOrder());
      });
      label.append(box, ` ${titleOf(task)}`);
      return label;
    }));
    return group;
  }));
  return inOrder();
}
