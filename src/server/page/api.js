// Client of the HTTP API: one function for each request of the page.

const base = '/api/v1/';

/** An error answer of the server. Its message is the message of the server. */
export class Refusal extends Error {
  constructor(status, message, retryAfter) {
    super(message);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** The server cannot be reached. */
export class Gone extends Error {
  constructor() {
    super('The server does not answer. It may have been stopped. Finished work is kept. Start the server and try again.');
  }
}

export const token = {
  get: () => sessionStorage.getItem('token') || '',
  set: (text) => sessionStorage.setItem('token', text),
};

export async function ask(path, options = {}) {
  const headers = { ...options.headers };
  if (token.get()) headers.Authorization = `Bearer ${token.get()}`;
  let answer;
  try {
    answer = await fetch(path.startsWith('/') ? path : base + path, { ...options, headers });
  } catch (problem) {
    if (problem.name === 'AbortError') throw problem;
    throw new Gone();
  }
  if (!answer.ok) {
    let message = `${answer.status} ${answer.statusText}`;
    try {
      message = (await answer.json()).error.message;
    } catch { /* a proxy answered without JSON */ }
    throw new Refusal(answer.status, message, Number(answer.headers.get('Retry-After')) || 0);
  }
  return answer;
}

export const models = async () => (await ask('models')).json();

/** Returns the object URL of a drawing as SVG. The caller must revoke the URL. */
export async function drawing(smiles, { atoms = [], alert = '', width = 240, height = 180, signal } = {}) {
  const answer = await ask('depict', {
    method: 'POST', signal, headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ smiles, atoms, alert, width, height }),
  });
  const { svg, reason } = await answer.json();
  if (svg === null) throw new Refusal(0, reason, 0);
  return URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
}

/** The verb of the program that computes the answers of a model. */
export const verbOf = (model) => ({ domain: 'domain', chemprop: 'predict' })[model.kind] || 'score';

/** Whether the answers of a model can have properties and alerts. */
export const hasProperties = (model) => model.kind === 'domain' || model.kind === 'chemprop';

/** Judges a list. `input`: { body, type }, where `type` is the content type. Returns { rows, counts } or { job }. */
export async function judge(model, input, { asJob, describe, signal }) {
  const query = new URLSearchParams({ model: model.name });
  if (asJob) query.set('job', '1');
  if (describe && hasProperties(model)) query.set('describe', 'true');
  if (input.smilesColumn) query.set('smiles_column', input.smilesColumn);
  if (input.name) query.set('name', input.name);
  if (input.predictionColumn) query.set('prediction_column', input.predictionColumn);
  const answer = await ask(`${verbOf(model)}?${query}`, {
    method: 'POST', signal, body: input.body, headers: { 'Content-Type': input.type, Accept: 'application/json' },
  });
  return answer.json();
}

export async function explain(file, signal) {
  const answer = await ask(`explain?${new URLSearchParams({ job: '1', name: file.name })}`, {
    method: 'POST', signal, body: file, headers: { 'Content-Type': 'application/octet-stream' },
  });
  return answer.json();
}

const pause = (milliseconds, signal) => new Promise((resolve, reject) => {
  const timer = setTimeout(resolve, milliseconds);
  signal?.addEventListener('abort', () => { clearTimeout(timer); reject(new DOMException('', 'AbortError')); }, { once: true });
});

/** Waits until a job is finished and calls `tell` with each state. Asks again if the server does not answer for a moment. */
export async function finished(job, tell, signal) {
  let gone = 0;
  for (let wait = 100; ; wait = Math.min(1000, wait * 1.5)) {
    await pause(wait, signal);
    try {
      const state = await (await ask(`jobs/${job}`, { signal })).json();
      gone = 0;
      tell(state);
      if (state.state === 'done') return state;
      if (state.state === 'failed' || state.state === 'cancelled') throw new Refusal(0, state.error.message || state.state, 0);
    } catch (problem) {
      if (!(problem instanceof Gone) || ++gone > 20) throw problem;
      tell({ state: 'gone', done: 0, total: 0 });
    }
  }
}

export async function allRows(job, tell, signal) {
  const rows = [];
  for (;;) {
    const piece = await (await ask(`jobs/${job}/result?from=${rows.length}&count=5000`, { signal })).json();
    rows.push(...piece.rows);
    tell(rows.length);
    // The server also limits the bytes of a piece, so a piece with fewer rows may not be the last one.
    if (!piece.rows.length) return rows;
  }
}

export const cancel = (job) => ask(`jobs/${job}`, { method: 'DELETE' });

export async function download(job, as) {
  const answer = await ask(`jobs/${job}/result?as=${as}`);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(await answer.blob());
  link.download = `molgauge.${as}`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}
