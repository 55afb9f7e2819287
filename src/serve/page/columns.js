// The columns of a table in CSV, and the one that holds SMILES.

/** The fields of the first line; a field in quotes may have commas and doubled quotes. */
function fieldsOf(line) {
  const fields = [];
  for (const [, quoted, plain] of line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)) {
    fields.push(quoted === undefined ? plain.trim() : quoted.replaceAll('""', '"'));
  }
  return fields;
}

/** Of a text or a file. */
export async function columnsOf(body) {
  const start = typeof body === 'string' ? body : await body.slice(0, 65536).text();
  return fieldsOf(start.replace(/^\uFEFF/, '').split(/\r?\n|\r/, 1)[0]);
}

/** The column whose name says that it holds SMILES; undefined where none or several do. */
export function smilesColumnAmong(columns) {
  for (const suits of [(name) => name === 'smiles', (name) => /^smiles$/i.test(name), (name) => /smiles/i.test(name)]) {
    const found = columns.filter(suits);
    if (found.length === 1) return found[0];
  }
  return undefined;
}

/** A pasted text whose first line names a column of SMILES among others. */
export function looksLikeTable(text) {
  const fields = fieldsOf(text.trimStart().split('\n', 1)[0].trim());
  return fields.length > 1 && Boolean(smilesColumnAmong(fields));
}
