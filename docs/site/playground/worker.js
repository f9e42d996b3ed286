// Runs weburl in a worker: Python in Pyodide, beside the page, so that the page stays responsive.
//
// It gets { wheels, scripts }, the names of the wheels and the sizes of Pyodide's scripts, and then
// one { question } at a time. It sends { loaded }, a number of bytes; { ready: true };
// { answer: [status, JSON] }; or { failure }.

const here = new URL(".", import.meta.url);
const plainFetch = self.fetch;
let loaded = 0;
let answer = null;

function count(bytes) {
  loaded += bytes;
  postMessage({ loaded });
}

function fail(error) {
  postMessage({ failure: String(error?.message ?? error).trim().split("\n").at(-1) });
}

// Pyodide waits for ever for some of its own errors.
self.addEventListener("unhandledrejection", (event) => fail(event.reason));

// Pyodide fetches its files itself: count what arrives.
self.fetch = async (...asked) => {
  const response = await plainFetch(...asked);
  if (!response.ok) {
    const error = new Error(`The server answers ${response.status} for ${response.url}.`);
    fail(error);
    throw error;
  }
  const counter = new TransformStream({
    transform(piece, controller) {
      count(piece.byteLength);
      controller.enqueue(piece);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counter), { status, statusText, headers });
};

async function fetched(name) {
  return new Uint8Array(await (await fetch(new URL(name, here))).arrayBuffer());
}

async function imported([name, size]) {
  await import(new URL(name, here));
  count(size);
}

async function begun() {
  const { loadPyodide } = await import(new URL("pyodide/pyodide.mjs", here));
  return loadPyodide();
}

async function start(wheels, scripts) {
  const [pyodide, glue, archives] = await Promise.all([
    begun(),
    fetched("answering.py"),
    Promise.all(wheels.map(fetched)),
    Promise.all(Object.entries(scripts).map(imported)),
  ]);
  for (const archive of archives) pyodide.unpackArchive(archive, "wheel");
  pyodide.FS.writeFile("answering.py", glue);
  const module = pyodide.pyimport("answering");
  answer = (question) => {
    const found = module.answer(question);
    const values = found.toJs();
    found.destroy();
    return values;
  };
}

self.onmessage = async ({ data }) => {
  try {
    if (data.wheels) {
      await start(data.wheels, data.scripts);
      postMessage({ ready: true });
    } else {
      postMessage({ answer: answer(data.question) });
    }
  } catch (error) {
    fail(error);
  }
};
