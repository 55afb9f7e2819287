// Shows one molecule next to its nearest training molecules.

import { drawing } from './api.js';
import { isImplausible, ordered, percentileOf, shortNumber as number, textOf, titleOf } from './tasks.js';

const element = (name, text, css) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (css) made.className = css;
  return made;
};

const shortNumber = (value) => number(value) || 'none';

/** The properties of a molecule, with their names on the page. */
export const properties = [
  ['molecular_weight', 'Molecular weight'], ['log_p', 'log P (Crippen)'], ['tpsa', 'TPSA'], ['h_bond_donors', 'H-bond donors'],
  ['h_bond_acceptors', 'H-bond acceptors'], ['rotatable_bonds', 'Rotatable bonds'], ['rings', 'Rings'], ['charge', 'Charge'],
  ['qed', 'QED'], ['lipinski_violations', 'Lipinski violations'], ['alerts_pains', 'PAINS alerts'],
  ['alerts_brenk', 'BRENK alerts'], ['alerts_nih', 'NIH alerts'],
];

/** Properties whose values are names of structural alerts. */
const alertsOf = (row) => properties.map(([name]) => name).filter((name) => name.startsWith('alerts_'))
  .flatMap((name) => row.properties?.[name] || []);

/** What the prediction of a task says: "probability that the molecule blocks the hERG channel". */
const meaningOf = (task) => (task.class_one ? `probability that the molecule ${task.class_one}` : titleOf(task));

/** A table with all predictions of a molecule, by category. */
function predictionTable(tasks, row) {
  const made = element('table', undefined, 'predictions');
  const known = ordered(tasks).filter((task) => textOf(task, row));
  const withPercentiles = known.some((task) => typeof percentileOf(task, row) === 'number');
  const head = element('tr');
  head.append(element('td'), element('th', known.some((task) => task.members > 1) ? 'prediction ± standard deviation of the ensemble' : 'prediction'));
  if (withPercentiles) head.append(element('th', 'percentile among approved drugs'));
  made.append(head);
  for (const category of new Set(known.map((task) => task.category || ''))) {
    const heading = element('th', category || 'Predictions');
    heading.colSpan = withPercentiles ? 3 : 2;
    const line = element('tr');
    line.append(heading);
    made.append(line);
    for (const task of known.filter((one) => (one.category || '') === category)) {
      const wrong = isImplausible(task, row);
      const cells = element('tr');
      const title = element('th', titleOf(task));
      title.scope = 'row';
      title.title = meaningOf(task);
      cells.append(title, element('td', textOf(task, row) + (wrong ? ' (outside the plausible range)' : ''), wrong ? 'implausible' : ''));
      const percentile = percentileOf(task, row);
      if (withPercentiles) cells.append(element('td', typeof percentile === 'number' ? percentile.toFixed(0) : ''));
      made.append(cells);
    }
  }
  return made;
}

function figure(title, smiles, atoms, remark, alert) {
  const made = element('figure');
  const picture = element('img', undefined, 'drawing');
  picture.alt = `Structure of ${title}`;
  picture.width = 240;
  picture.height = 180;
  drawing(smiles, { atoms, alert }).then((address) => { picture.src = address; }, (problem) => { picture.replaceWith(element('p', problem.message)); });
  const caption = element('figcaption');
  caption.append(element('strong', title), element('div', remark), element('div', smiles, 'smiles'));
  made.append(picture, caption);
  return made;
}

export function showMolecule(dialog, heading, content, row, model) {
  heading.textContent = row.name || `Line ${row.line}`;
  const facts = element('dl');
  const add = (term, text) => { if (text !== undefined && text !== '' && text !== null) facts.append(element('dt', term), element('dd', text)); };
  if (model.kind !== 'chemprop') facts.append(element('dt', 'Verdict'), element('dd', row.verdict, `word ${row.verdict}`));
  add('Decision', row.decision_reason ? `${row.decision}: ${row.decision_reason}` : row.decision);
  add('Why', row.reason);
  if (model.predictions) {
    const column = model.predictions.prediction_column;
    if (row.predictions) add(`Prediction (${column.replace(/^predicted_/, '')})`, shortNumber(row.predictions[column]));
    if (typeof row.prediction_lower === 'number') add('Interval', `${shortNumber(row.prediction_lower)} to ${shortNumber(row.prediction_upper)}`);
    add('Classes', row.prediction_set);
    if (typeof row.prediction_expected_error === 'number') add('Expected error', shortNumber(row.prediction_expected_error));
    add('Why the prediction is doubtful', row.prediction_doubt);
    add('Note on the interval', row.prediction_reason);
  }
  if (row.parent_prediction_differs) add('Parent', 'The neutral form without counter-ions has another prediction.');
  add('Unfamiliar substructures', row.foreign);
  if ('p_value' in row && row.verdict !== 'unreadable') {
    add('p-value', shortNumber(row.p_value));
    if (row.p_new_scaffold !== null) add('p-value among new scaffolds', shortNumber(row.p_new_scaffold));
    add('q-value (corrected for the list)', shortNumber(row.q_value));
    add('Distance', shortNumber(row.distance));
    add('Farther than', `${shortNumber(row.percentile)} % of the left-out training molecules`);
  }
  if ('score' in row) {
    add('Score', shortNumber(row.score));
    add('Resemblance to the OOD molecules of the training (0 to 1, does not decide the verdict)', row.resembles_training_ood === undefined ? '' : shortNumber(row.resembles_training_ood));
  }
  for (const [name, title] of properties) {
    const value = row.properties?.[name];
    add(title, Array.isArray(value) ? value.join(', ') || 'none' : typeof value === 'number' ? shortNumber(value) : undefined);
  }
  const structures = element('div', undefined, 'structures');
  if (row.verdict !== 'unreadable') structures.append(figure(row.name || 'this molecule', row.smiles, row.foreign_atoms || [], (row.foreign_atoms || []).length ? 'atoms with new neighbours are coloured' : ''));
  (row.nearest || []).forEach((near, place) => {
    structures.append(figure(near.name || `training molecule ${place + 1}`, near.smiles, [], `Tanimoto ${shortNumber(near.tanimoto)}, distance ${shortNumber(near.distance)}${near.value === null || near.value === undefined ? '' : `, measured value ${shortNumber(near.value)}`}`));
  });
  for (const alert of new Set(alertsOf(row))) structures.append(figure(`alert: ${alert}`, row.smiles, [], 'the atoms of the alert are coloured', alert));
  content.replaceChildren(facts, structures);
  if (model.tasks?.length && row.predictions) content.append(predictionTable(model.tasks, row));
  dialog.showModal();
}
