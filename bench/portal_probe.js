// Runs in the page that is measured, before anything of the portal: notes when a screen can be used, what holds up the
// main thread, and how long a key takes until its effect is painted. Times are ms since the navigation began.
;(() => {
  const longTasks = []
  new PerformanceObserver(list => {
    for (const { startTime, duration } of list.getEntries()) longTasks.push({ startMs: startTime, ms: duration })
  }).observe({ type: 'longtask', buffered: true })

  /** A screen can be used when its heading stands and nothing of it says that it is loading. */
  const isReady = heading => {
    const title = document.querySelector('main h1')
    if (title === null || (heading !== undefined && title.textContent.trim() !== heading)) return false
    return document.querySelector('main [role=status][aria-label^="Loading"]') === null
  }

  /** The time of the first frame that was painted with `holds` true. */
  const painted = holds =>
    new Promise((resolve, reject) => {
      const deadlineMs = performance.now() + 30_000
      const look = () => {
        if (holds()) {
          const channel = new MessageChannel()
          channel.port1.onmessage = () => resolve(performance.now())
          requestAnimationFrame(() => channel.port2.postMessage(null))
        } else if (performance.now() > deadlineMs) reject(new Error('not ready after 30 s'))
        else requestAnimationFrame(look)
      }
      look()
    })

  // The portal empties the browser's own list of requests, so that it does not fill up.
  const lastBytes = new Map()
  new PerformanceObserver(list => {
    for (const { name, responseEnd } of list.getEntries()) lastBytes.set(new URL(name).pathname, responseEnd)
  }).observe({ type: 'resource', buffered: true })
  addEventListener(
    'input',
    ({ timeStamp }) => {
      window.bench.inputMs = timeStamp
    },
    { capture: true },
  )

  const keyTimes = []
  addEventListener(
    'keydown',
    ({ timeStamp }) => {
      const channel = new MessageChannel()
      channel.port1.onmessage = () => keyTimes.push(performance.now() - timeStamp)
      // React renders in the event's own task, so the frame after it shows the effect.
      requestAnimationFrame(() => channel.port2.postMessage(null))
    },
    { capture: true },
  )

  window.bench = {
    longTasks,
    keyTimes,
    painted,
    inputMs: undefined,
    async lastByteOf(path) {
      while (!lastBytes.has(path)) await new Promise(resolve => setTimeout(resolve, 10))
      return lastBytes.get(path)
    },
    ready: () => painted(() => isReady()),
    /** Follows a link of the navigation; ms until the screen with that heading is painted, complete. */
    async follow(name) {
      const links = [...document.querySelectorAll('nav[aria-label="Main"] a')]
      // Behind the name of the inbox stands how many wait.
      const link = links.find(({ textContent }) => textContent.trim().replace(/[\d,+]+$/, '') === name)
      const startMs = performance.now()
      link.click()
      return (await painted(() => isReady(name))) - startMs
    },
  }
})()
