// The columns of a CSV table, and the column that contains the SMILES.

/** Returns the fields of a line. A quoted field may contain commas and doubled quotes. */
function fieldsOf(line) {
  const fields = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  }
  return fields;
}

/** Returns the column names of a text or a file. */
export async function columnsOf(body) {
  const start = typeof body === 'string' ? body : await body.slice(0, 65536).text();
  return fieldsOf(start.replace(/^\uFEFF/, '').split(/\r?\n|\r/, 1)[0]);
}

/** Returns the only column whose name says that it contains SMILES, or undefined if there is none or more than one. */
export function smilesColumnAmong(columns) {
  for (const suits of [(name) => name === 'smiles', (name) => /^smiles$/i.test(name), (name) => /smiles/i.test(name)]) {
    const found = columns.filter(suits);
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** Whether the first line of a pasted text names a SMILES column and at least one other column. */
export function looksLikeTable(text) {
  const fields = fieldsOf(text.trimStart().split('\n', 1)[0].trim());
  return fields.length > 1 && Boolean(smilesColumnAmong(fields));
}
