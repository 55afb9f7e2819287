// The page: reads molecules or a snapshot from the user, sends them to the server and shows the answer.

import * as api from './api.js';
import { columnsOf, looksLikeTable, serverFindsColumn, smilesColumnAmong } from './columns.js';
import { showMolecule } from './molecule.js';
import { Table } from './table.js';
import { isImplausible, showChoice } from './tasks.js';

const at = (id) => document.getElementById(id);
const verdictsOf = (model) => ({
  domain: ['inside', 'borderline', 'outside', 'unreadable'],
  chemprop: ['predicted', 'unreadable'],
}[model.kind] || ['inside', 'outside', 'unreadable']);
const tasksAtFirst = 4;
let server = { models: [], limits: {} };
let current = null; // { model, input, job } of the result that is shown
let columnless = null; // the table for which the user must select the SMILES column
let running = null; // AbortController of the running task

const table = new Table({ head: at('head'), rows: at('rows'), space: at('space'), table: at('table') },
  (row) => showMolecule(at('molecule'), at('molecule-name'), at('molecule-content'), row, current.model));

function notify(text) {
  at('notice').textContent = text || '';
  at('notice').hidden = !text;
}

function progress(text, share) {
  at('progress').hidden = text === null;
  at('progress-text').textContent = text || '';
  if (share === undefined || !Number.isFinite(share)) at('bar').removeAttribute('value');
  else at('bar').value = share;
}

function setBusy(isBusy) {
  at('judge').disabled = isBusy;
  at('cancel').hidden = !isBusy;
  if (!isBusy) progress(null);
}

function tellState(state) {
  if (state.state === 'gone') progress('The server does not answer. Trying again ...');
  else if (state.state === 'waiting') progress('Waiting for other jobs ...');
  else {
    const rate = state.rate ? `, ${state.rate.toFixed(0)} a second` : '';
    progress(`${state.stage || 'computing'}: ${state.done} of ${state.total || '?'}${rate}`, state.total ? state.done / state.total : undefined);
  }
}

/** Runs a task and shows its messages. Aborts the previous task. */
async function run(task) {
  running?.abort();
  const own = new AbortController();
  running = own;
  notify('');
  setBusy(true);
  progress('Computing ...');
  try {
    await task(own.signal);
    if (running === own) notify('');
  } catch (problem) {
    if (problem.name !== 'AbortError') await report(problem);
  } finally {
    if (running === own) {
      running = null;
      setBusy(false);
    }
  }
}

async function report(problem) {
  if (problem.status === 401) {
    at('token-form').hidden = false;
    at('token').focus();
    notify(problem.message);
  } else if (problem.status === 503) {
    notify(`${problem.message}\nThe request can be sent again in ${problem.retryAfter || 5} seconds.`);
  } else {
    notify(problem.message);
  }
}

/** A box with a number of molecules. */
function countBox(css, number, text) {
  const box = document.createElement('div');
  box.className = css;
  const count = document.createElement('strong');
  count.textContent = number.toLocaleString('en');
  const word = document.createElement('span');
  word.textContent = text;
  box.append(count, word);
  return box;
}

/** The counts above the table: one for each verdict, then what to check in the predictions. */
function countBoxes(model, rows) {
  const count = (passes) => rows.filter(passes).length;
  const boxes = verdictsOf(model).map((verdict) => countBox(verdict, count((row) => row.verdict === verdict), verdict));
  if (rows.some((row) => row.decision)) {
    for (const decision of ['use', 'check', 'drop']) boxes.push(countBox('', count((row) => row.decision === decision), `predictions to ${decision}`));
  }
  const checks = [
    [(row) => row.parent_prediction_differs, 'with another prediction for the neutral form'],
    [(row) => row.predictions && model.tasks?.some((task) => isImplausible(task, row)), 'with a prediction outside the plausible range'],
  ];
  for (const [passes, text] of checks) {
    if (count(passes)) boxes.push(countBox('borderline', count(passes), text));
  }
  return boxes;
}

function shown(model, rows, note) {
  at('explanation').hidden = true;
  at('result').hidden = false;
  if (model.kind === 'chemprop') rows.forEach((row) => { row.verdict = row.predictions ? 'predicted' : 'unreadable'; });
  at('counts').replaceChildren(...countBoxes(model, rows));
  at('verdicts').replaceChildren(at('verdicts').querySelector('legend'), ...verdictsOf(model).map((verdict) => {
    const label = document.createElement('label');
    const box = document.createElement('input');
    box.type = 'checkbox';
    box.checked = true;
    box.value = verdict;
    box.addEventListener('change', filter);
    label.append(box, ` ${verdict}`);
    return label;
  }));
  document.querySelector('button[data-as=html]').hidden = model.kind === 'chemprop'; // only verdicts have a report
  at('note').textContent = note;
  at('command').textContent = `The same on the command line: ${commandOf(current)}`;
  at('find').value = '';
  const tasks = model.tasks || [];
  at('tasks').hidden = tasks.length < 2;
  table.show(rows, model, showChoice(at('task-choice'), tasks, model.predictions ? 0 : tasksAtFirst, (wanted) => table.setColumns(model, wanted)));
  tellShown();
  at('result').scrollIntoView({ block: 'nearest' });
}

function tellShown() {
  at('shown').textContent = `${table.seen.length.toLocaleString('en')} of ${table.all.length.toLocaleString('en')} molecules. A row opens by a click, or by Enter.`;
}

function filter() {
  const wanted = new Set([...at('verdicts').querySelectorAll('input:checked')].map((box) => box.value));
  const text = at('find').value.trim().toLowerCase();
  table.filter((row) => (wanted.has(row.verdict) || !row.verdict)
    && (!text || `${row.name}\n${row.smiles}\n${row.foreign || ''}\n${row.reason || ''}`.toLowerCase().includes(text)));
  tellShown();
}

function chosenModel() {
  const model = server.models.find((one) => one.name === at('model').value) || server.models[0];
  if (!model) throw new Error('This server has no models. Start it with --model FOLDER.');
  return model;
}

function noteOf(model) {
  if (model.kind === 'domain') return `Compared with ${model.training_molecules?.toLocaleString('en')} training molecules of ${model.name}, by ${model.encoder}.`;
  if (model.kind === 'chemprop') return `Predicted by ${model.name}, as drawn. The predictions do not show whether the model knows such molecules. A saved domain shows it.`;
  return `Scored by ${model.name} (${model.kind}, ${model.encoder}).`;
}

/** Returns the command that repeats a task, with the names of the model and of the list instead of their paths. */
function commandOf({ model, input }) {
  const quoted = (text) => (/^[\w./+-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const list = quoted(input.name || 'molecules.smi');
  const column = input.smilesColumn ? ` --smiles-column ${quoted(input.smilesColumn)}` : '';
  const prediction = input.predictionColumn ? ` --prediction-column ${quoted(input.predictionColumn)}` : '';
  const describe = at('describe').checked && api.hasProperties(model) ? ' --describe' : '';
  return `molgauge ${api.verbOf(model)} ${quoted(model.name)} ${list}${column}${prediction}${describe}`;
}

async function judge(input, isShort) {
  await run(async (signal) => {
    const model = chosenModel();
    current = { model, input, job: null };
    if (isShort) {
      const answer = await api.judge(model, input, { describe: at('describe').checked, signal });
      shown(model, answer.rows, noteOf(model));
      return;
    }
    const rows = await throughJob(current, signal);
    shown(model, rows, noteOf(model));
  });
}

function cancelWith(signal, job) {
  const cancel = () => api.cancel(job).catch(() => {});
  if (signal.aborted) cancel();
  else signal.addEventListener('abort', cancel, { once: true });
  signal.throwIfAborted();
}

async function throughJob(task, signal) {
  // The signal is not passed on, because the ID of the job is needed to cancel it.
  const { job } = await api.judge(task.model, task.input, { asJob: true, describe: at('describe').checked });
  task.job = job;
  cancelWith(signal, job);
  await api.finished(job, tellState, signal);
  return api.allRows(job, (count) => progress(`reading the result: ${count} rows`), signal);
}

const isSnapshot = (file) => /\.(pickle|pkl)(\.gz)?$/i.test(file.name);
const packed = /\.(gz|bz2|xz|zst|zip)$/i;
const types = [
  [/\.(csv|tsv|zip)$/i, 'text/csv'],
  [/\.(sdf?|mol)$/i, 'chemical/x-mdl-sdfile'],
  [/\.json$/i, 'application/json'],
  [/\.(jsonl|ndjson)$/i, 'application/x-ndjson'],
  [/\.xlsx$/i, 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'],
];
/** Pasted texts that are neither SMILES nor a table: mol blocks and records in JSON. */
const pasted = [
  [/^M {2}END/m, 'chemical/x-mdl-sdfile'],
  [/^\s*\[\s*\{/, 'application/json'],
  [/^\s*\{/, 'application/x-ndjson'],
];
const typeOf = (file) => (types.find(([name]) => name.test(file.name.replace(/\.(gz|bz2|xz|zst)$/i, ''))) || [null, 'text/plain'])[1];

/** Judges a file or a pasted table. If the SMILES column of a CSV is not clear, asks the user for it. */
async function takeList(input) {
  at('column-form').hidden = true;
  if (input.type === 'text/csv' && !packed.test(input.name)) {
    const columns = await columnsOf(input.body);
    const prediction = chosenModel().predictions?.prediction_column;
    if (columns.includes(prediction)) input.predictionColumn = prediction;
    if (!serverFindsColumn(columns)) {
      input.smilesColumn = smilesColumnAmong(columns) || (columns.length === 1 ? columns[0] : undefined);
      if (!input.smilesColumn) {
        askForColumn(input, columns);
        return;
      }
    }
  }
  await judge(input, false);
}

function askForColumn(input, columns) {
  at('column').replaceChildren(...columns.map((name) => new Option(name, name)));
  at('column-form').hidden = false;
  at('column').focus();
  columnless = input;
}

async function takeFile(file) {
  if (!isSnapshot(file)) {
    await takeList({ body: file, type: typeOf(file), name: file.name });
    return;
  }
  await run(async (signal) => {
    const { job } = await api.explain(file);
    cancelWith(signal, job);
    await api.finished(job, tellState, signal);
    const answer = await (await api.ask(`jobs/${job}/result?as=json`, { signal })).json();
    at('result').hidden = true;
    at('explanation').hidden = false;
    at('explanation-heading').textContent = `Memory of ${file.name}`;
    at('explanation-text').textContent = answer.text;
    at('explanation-text').parentElement.open = Boolean(api.token.get());
    // A frame cannot send the token, so the report is hidden if there is a token.
    at('explanation-page').hidden = Boolean(api.token.get());
    if (!api.token.get()) at('explanation-page').src = `/api/v1/jobs/${job}/result?as=html`;
    at('explanation').scrollIntoView({ block: 'nearest' });
  });
}

// Draws the molecule in the line that the user is typing.
let preview = null;
let previewTimer = 0;
function drawPreview() {
  clearTimeout(previewTimer);
  preview?.abort();
  previewTimer = setTimeout(async () => {
    const text = at('smiles').value;
    const start = text.lastIndexOf('\n', at('smiles').selectionStart - 1) + 1;
    const smiles = text.slice(start).split('\n', 1)[0].trim().split(/\s/, 1)[0];
    if (!smiles) {
      at('preview').hidden = true;
      return;
    }
    preview = new AbortController();
    try {
      const address = await api.drawing(smiles, { signal: preview.signal });
      const former = at('preview-drawing').src;
      at('preview-drawing').src = address;
      at('preview-drawing').alt = `Structure of ${smiles}`;
      at('preview-drawing').hidden = false;
      at('preview-text').textContent = '';
      if (former.startsWith('blob:')) URL.revokeObjectURL(former);
    } catch (problem) {
      if (problem.name === 'AbortError') return;
      at('preview-drawing').hidden = true;
      at('preview-text').textContent = problem.message;
    }
    at('preview').hidden = false;
  }, 200);
}

async function start() {
  try {
    server = await api.models();
  } catch (problem) {
    await report(problem);
    return;
  }
  at('token-form').hidden = true;
  notify(server.models.length ? '' : 'This server has no models. Start it with --model FOLDER. You can still explain memory snapshots.');
  at('model').replaceChildren(...server.models.map((model) => {
    const option = document.createElement('option');
    option.value = model.name;
    option.textContent = `${model.name} (${model.kind === 'chemprop' ? `predicts ${model.tasks.length === 1 ? model.tasks[0].name : `${model.tasks.length} properties`}` : model.kind})`;
    return option;
  }));
  tellModel();
}

/** Names the button after what the chosen model does. */
function tellModel() {
  const model = server.models.find((one) => one.name === at('model').value) || server.models[0];
  at('describe-choice').hidden = !model || !api.hasProperties(model);
  at('judge').textContent = model?.kind === 'chemprop' ? 'Predict' : 'Judge';
}

at('choose').hidden = false;
at('input').addEventListener('submit', (event) => {
  event.preventDefault();
  const text = at('smiles').value;
  const lines = text.split('\n').filter((line) => line.trim()).length;
  if (!lines && running) return;
  if (!lines) {
    notify('No molecules yet. Type or paste SMILES, or drop a file.');
    at('smiles').focus();
    return;
  }
  const [, form] = pasted.find(([pattern]) => pattern.test(text)) || [];
  if (form) {
    takeList({ body: text, type: form, name: 'pasted list' });
    return;
  }
  if (looksLikeTable(text)) {
    takeList({ body: text, type: 'text/csv', name: 'pasted table' });
    return;
  }
  judge({ body: text, type: 'text/plain' }, lines <= (server.limits.at_hand || 256));
});
at('cancel').addEventListener('click', () => {
  running?.abort();
  notify('Cancelled. Finished work is kept. To continue, send the same list again.');
});
at('smiles').addEventListener('input', drawPreview);
at('smiles').addEventListener('click', drawPreview);
at('model').addEventListener('change', tellModel);
at('find').addEventListener('input', filter);
at('close').addEventListener('click', () => at('molecule').close());
at('file').addEventListener('change', () => {
  const [file] = at('file').files;
  at('file').value = '';
  if (file) takeFile(file);
});
at('column-form').addEventListener('submit', (event) => {
  event.preventDefault();
  at('column-form').hidden = true;
  judge({ ...columnless, smilesColumn: at('column').value }, false);
});
at('token-form').addEventListener('submit', (event) => {
  event.preventDefault();
  api.token.set(at('token').value);
  at('token').value = '';
  start();
});
at('print').addEventListener('click', () => print());
for (const button of document.querySelectorAll('button[data-as]')) {
  button.addEventListener('click', () => run(async (signal) => {
    if (!current.job) await throughJob(current, signal);
    await api.download(current.job, button.dataset.as);
  }));
}
let dragged = 0;
addEventListener('dragenter', (event) => { event.preventDefault(); ++dragged; at('drop').hidden = false; });
addEventListener('dragleave', () => { if (--dragged <= 0) { dragged = 0; at('drop').hidden = true; } });
addEventListener('dragover', (event) => event.preventDefault());
addEventListener('drop', (event) => {
  event.preventDefault();
  dragged = 0;
  at('drop').hidden = true;
  const [file] = event.dataTransfer.files;
  if (file) takeFile(file);
});
start();
