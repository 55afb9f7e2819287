// Shows one molecule next to its nearest training molecules.

import { drawing } from './api.js';

const element = (name, text, css) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (css) made.className = css;
  return made;
};

const shortNumber = (value) => (typeof value === 'number' ? String(Number(value.toPrecision(3))) : 'none');

/** The properties of a molecule, with their names on the page. */
export const properties = [
  ['molecular_weight', 'Molecular weight'], ['log_p', 'log P (Crippen)'], ['tpsa', 'TPSA'], ['h_bond_donors', 'H-bond donors'],
  ['h_bond_acceptors', 'H-bond acceptors'], ['rotatable_bonds', 'Rotatable bonds'], ['rings', 'Rings'], ['charge', 'Charge'],
  ['qed', 'QED'], ['lipinski_violations', 'Lipinski violations'], ['alerts_pains', 'PAINS alerts'],
  ['alerts_brenk', 'BRENK alerts'], ['alerts_nih', 'NIH alerts'],
];

function figure(title, smiles, atoms, remark) {
  const made = element('figure');
  const picture = element('img', undefined, 'drawing');
  picture.alt = `Structure of ${title}`;
  picture.width = 240;
  picture.height = 180;
  drawing(smiles, { atoms }).then((address) => { picture.src = address; }, (problem) => { picture.replaceWith(element('p', problem.message)); });
  const caption = element('figcaption');
  caption.append(element('strong', title), element('div', remark), element('div', smiles, 'smiles'));
  made.append(picture, caption);
  return made;
}

export function showMolecule(dialog, heading, content, row) {
  heading.textContent = row.name || `Line ${row.line}`;
  const facts = element('dl');
  const add = (term, text) => { if (text !== undefined && text !== '' && text !== null) facts.append(element('dt', term), element('dd', text)); };
  facts.append(element('dt', 'Verdict'), element('dd', row.verdict, `word ${row.verdict}`));
  add('Decision', row.decision_reason ? `${row.decision}: ${row.decision_reason}` : row.decision);
  add('Why', row.reason);
  add('Unfamiliar substructures', row.foreign);
  if ('p_value' in row && row.verdict !== 'unreadable') {
    add('p-value', shortNumber(row.p_value));
    if (row.p_new_scaffold !== null) add('p-value among new scaffolds', shortNumber(row.p_new_scaffold));
    add('q-value (corrected for the list)', shortNumber(row.q_value));
    add('Distance', shortNumber(row.distance));
    add('Farther than', `${shortNumber(row.percentile)} % of the held-out training molecules`);
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
  content.replaceChildren(facts, structures);
  dialog.showModal();
}
