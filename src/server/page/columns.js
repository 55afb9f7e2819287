// The columns of a pasted or dropped table, and the column that contains the molecules. The server decides about
// separator, header and column (src/molecules/files/table_layout.cpp). The page only guesses whether the server can
// decide, and asks the user otherwise.

const structureNames = /^(canonical[ _-]?|isomeric[ _-]?|rdkit[ _-]|mol[ _-]|std[ _-])?smiles([ _-]string)?$|^(smi|structures?|molecule|mol|inchi)$/i;

/** Returns the separator that occurs most often in a line: comma, semicolon, tab, or a bar if there is none of these. */
function separatorOf(line) {
  const plain = line.replace(/"[^"]*"/g, '');
  const count = (separator) => plain.split(separator).length - 1;
  const most = [',', ';', '\t'].reduce((best, other) => (count(other) > count(best) ? other : best));
  return count(most) === 0 && count('|') > 0 && !plain.includes(' |') ? '|' : most;
}

/** Returns the fields of a line. A quoted field may contain separators and doubled quotes. */
function fieldsOf(line) {
  const separator = separatorOf(line);
  const fields = [];
  let field = '', isQuoted = false;
  for (const letter of line) {
    if (letter === '"') isQuoted = !isQuoted;
    else if (letter === separator && !isQuoted) {
      fields.push(field.trim());
      field = '';
    } else field += letter;
  }
  return [...fields, field.trim()];
}

const firstLine = (text) => text.replace(/^\uFEFF/, '').split(/\r?\n|\r/).find((line) => line.trim() && !/^(#|"?sep=)/i.test(line)) || '';

/** Returns the column names of a text or a file. */
export async function columnsOf(body) {
  return fieldsOf(firstLine(typeof body === 'string' ? body : await body.slice(0, 65536).text()));
}

/** Whether a field can only be a SMILES, so that the table has no header. */
const isSmiles = (field) => /^[BCNOPSFIHbcnopslr[\]()=#@+\-\d/\\.%]{2,}$/.test(field) && /[A-Zcno]/.test(field) && !structureNames.test(field);

/** Whether the server finds the column of the molecules without help. */
export const serverFindsColumn = (columns) => columns.some((name) => structureNames.test(name)) || columns.some(isSmiles);

/** Returns the only column whose name contains "smiles", or undefined if there is none or more than one. */
export function smilesColumnAmong(columns) {
  const found = columns.filter((name) => /smiles/i.test(name));
  return found.length === 1 ? found[0] : undefined;
}

/** Whether a pasted text is a table: its first line has several fields that are not separated by blanks alone. */
export function looksLikeTable(text) {
  const columns = fieldsOf(firstLine(text));
  return columns.length > 1 && serverFindsColumn(columns) && !/^\S+\s[^,;\t|]*$/.test(firstLine(text));
}
