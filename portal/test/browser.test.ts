// The watching of pages, itself watched: a page that breaks a rule must fail its test, and one that keeps them must not.
// Against a fixture of a few lines, so that nothing of the portal can hide a watcher that has gone blind.
// test: programs
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkAccessibility } from './accessibility.ts'
import { focusIsVisible, noHorizontalScroll, tabTo, walkByTab } from './checks.ts'
import { chromiumMissing, startChromium } from './chromium.ts'
import { countCalls, openPages, type PageOwner, type Pages, resetCalls, watchOf } from './pages.ts'

const secret = 'correct horse battery staple'
const key = `tdm_test_${'a1B2'.repeat(9)}zz`
const token = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJ1c2VyXzEifQ.c2lnbmF0dXJlLW9mLXRoaXM'

describe('pages under watch', { skip: chromiumMissing }, () => {
  let server: Server
  let pages: Pages
  before(async () => {
    server = createServer((request, response) => {
      if (request.url?.startsWith('/v2/')) return void response.writeHead(404).end('{}')
      response.setHeader('content-type', 'text/html')
      response.setHeader(
        'content-security-policy',
        "default-src 'none'; img-src data:; style-src 'self'; connect-src *",
      )
      response.end(fixture)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    pages = await openPages({ address, secrets: [secret] })
  })
  after(async () => {
    await pages?.close()
    server.closeAllConnections()
    server.close()
  })

  /** Opens the fixture, lets `act` happen, ends the page, and gives what its test would have failed for. */
  async function faultsOf(act: (page: Awaited<ReturnType<Pages['newPage']>>) => Promise<unknown>): Promise<string> {
    const ends: (() => Promise<void>)[] = []
    const owner = { name: 'fixture', after: (end: () => Promise<void>) => void ends.push(end) } as unknown as PageOwner
    const page = await pages.newPage(owner)
    await page.goto('/')
    await act(page)
    return Promise.all(ends.map(end => end())).then(
      () => '',
      (error: Error) => error.message,
    )
  }

  test('a page that keeps the rules passes', async () => {
    assert.equal(await faultsOf(async page => page.getByRole('button', { name: 'Save' }).click()), '')
  })

  const wrongs: [name: string, act: (() => unknown) | string, reported: RegExp][] = [
    ['an inline style', "document.body.setAttribute('style', 'color: red')", /policy violation: style-src/],
    ['a request elsewhere', "fetch('http://192.0.2.1/').catch(() => {})", /another origin: GET http:\/\/192\.0\.2\.1/],
    ['an uncaught error', "setTimeout(() => { throw new Error('broken') })", /uncaught error: .*broken/],
    ['a rejection nobody handles', "void Promise.reject(new Error('adrift'))", /uncaught error: .*adrift/],
    ['a console error', "console.error('oh dear')", /console error: oh dear/],
    ['an answer of 404', "fetch('/v2/none')", /console error: .*404.*\/v2\/none/],
    ['a key in localStorage', `localStorage.setItem('a', '${key}')`, /credential.*localStorage/],
    ['a token in sessionStorage', `sessionStorage.setItem('a', '${token}')`, /credential.*sessionStorage/],
    ['a password in the history', `history.replaceState({ a: '${secret}' }, '')`, /credential.*state of the history/],
    ['a key in the address', `history.replaceState(null, '', '#${key}')`, /credential.*address/],
    [
      'a key that was in the address',
      `history.pushState(0, '', '?a=${key}'); history.pushState(0, '', '/')`,
      /credential.*address/,
    ],
    ['a token in a readable cookie', `document.cookie = 'a=${token}'`, /credential.*cookie/],
  ]
  for (const [name, script, reported] of wrongs) {
    test(`${name} fails it`, async () => {
      const text = await faultsOf(async page => {
        await page.evaluate(`{ ${script} }; undefined`)
        // A fault is reported a moment later; a leak is looked for at the end.
        const deadlineMs = performance.now() + (reported.source.includes('credential') ? 0 : 5_000)
        while (watchOf(page).faults.length === 0 && performance.now() < deadlineMs) await sleep(20)
      })
      assert.match(text, reported)
    })
  }

  test('what a page stored is gone for the page of the next test', async () => {
    const stored = `[document.cookie, ...Object.keys(localStorage), ...Object.keys(sessionStorage), window.name,
      ...(await indexedDB.databases()).map(({ name }) => name)].join('')`
    const found: unknown[] = []
    const store = `(async () => {
      document.cookie = 'cookie=a'
      localStorage.setItem('local', 'a')
      sessionStorage.setItem('session', 'a')
      await new Promise(done => { indexedDB.open('database').onsuccess = done })
    })()`
    for (let times = 0; times < 2; times++) {
      const faults = await faultsOf(async page => {
        found.push(await page.evaluate(`(async () => ${stored})()`))
        await page.context().addCookies([{ name: 'hidden', value: 'a', url: page.url(), httpOnly: true }])
        found.push((await page.context().cookies()).length)
        await page.evaluate(store)
        found.push(await page.evaluate(`(async () => ${stored})()`))
      })
      assert.equal(faults, '')
    }
    assert.deepEqual(found, ['', 1, 'cookie=alocalsessiondatabase', '', 1, 'cookie=alocalsessiondatabase'])
  })

  test('a key in IndexedDB fails it', async () => {
    const text = await faultsOf(page =>
      page.evaluate(async value => {
        const database = await new Promise<IDBDatabase>((resolve, reject) => {
          const opening = indexedDB.open('drafts', 1)
          opening.onupgradeneeded = () => opening.result.createObjectStore('rows')
          opening.onsuccess = () => resolve(opening.result)
          opening.onerror = () => reject(opening.error)
        })
        await new Promise(resolve => {
          const change = database.transaction('rows', 'readwrite')
          change.objectStore('rows').put({ headers: [value] }, 1)
          change.oncomplete = resolve
        })
        database.close()
      }, key),
    )
    assert.match(text, /credential.*IndexedDB/)
  })

  test('what the test expects is allowed, and nothing else', async () => {
    const provoke = async (page: Awaited<ReturnType<Pages['newPage']>>, pattern: RegExp) => {
      watchOf(page).allow(pattern)
      const reported = page.waitForEvent('console')
      await page.evaluate("fetch('/v2/none')")
      await reported
    }
    assert.equal(await faultsOf(page => provoke(page, /404.*\/v2\/none/)), '')
    assert.match(await faultsOf(page => provoke(page, /500/)), /console error/)
  })

  test('calls of the API are counted by route', async t => {
    const page = await pages.newPage(t, { allow: [/404/] })
    await page.goto('/')
    await page.evaluate("Promise.all(['/v2/a', '/v2/a?b=1', '/v2/c', '/other'].map(path => fetch(path)))")
    assert.deepEqual(countCalls(page), { total: 3, byRoute: { 'GET /v2/a': 2, 'GET /v2/c': 1 } })
    resetCalls(page)
    assert.equal(countCalls(page).total, 0)
  })

  test('axe is asked, and its findings are reported by rule and element', async t => {
    const page = await pages.newPage(t)
    await page.goto('/')
    await checkAccessibility(page, { name: 'the fixture' })
    await page.evaluate("document.querySelector('label').remove()")
    await assert.rejects(
      checkAccessibility(page, { name: 'the fixture' }),
      /the fixture: 1 rule[\s\S]*label:[\s\S]*input/,
    )
  })

  const faint: [name: string, act: string, reported: RegExp][] = [
    ['a colour', "h1.style.color = '#999'", /light: 2\.85 where 3 is wanted: .*h1 "Fixture"[\s\S]*dark: 2\.85/],
    ['a ground', "label.style.background = '#333'", /4\.5 is wanted: .*label "Name"/],
    ['a ground further out', "main.style.background = '#222'", /main > label "Name"/],
    ['half of it seen', "main.style.opacity = '0.4'", /label "Name"/],
    ['a placeholder', "input.placeholder = 'Ada'; input.style.background = '#777'", /input "Ada"/],
    ['a value', "input.value = 'Ada'; input.style.color = '#bbb'", /input "Ada"/],
    [
      'the dark theme alone',
      "sheet(':root[data-theme=dark] label { color: #ccc }')",
      /broken\ncontrast: .*\n {4}dark: .*label/,
    ],
    [
      'a link distinguished by its colour alone',
      'link("text-decoration: none; color: #222")',
      /where 3 is wanted: link in body > main > p > a/,
    ],
  ]
  for (const [name, act, reported] of faint) {
    test(`text that is too faint is found: ${name}`, async t => {
      const page = await pages.newPage(t)
      await page.goto('/')
      await page.evaluate(plant(act))
      const before = await page.evaluate(styles)
      await assert.rejects(checkAccessibility(page, { name: 'the fixture' }), reported)
      assert.deepEqual(await page.evaluate(styles), before, 'looking leaves a trace')
    })
  }

  test('what is large, switched off, hidden or distinguished otherwise is not found too faint', async t => {
    const page = await pages.newPage(t)
    await page.goto('/')
    await page.evaluate(
      plant(`h1.style.color = '#8a8a8a'; input.disabled = true; input.value = 'Ada'; label.style.color = '#eee'
      button.style.opacity = '0'; link('color: #222; font-weight: 700; text-decoration: none')`),
    )
    await checkAccessibility(page, { name: 'the fixture' })
  })

  test('sideways scrolling is found and its cause named', async t => {
    const page = await pages.newPage(t, { width: 390 })
    await page.goto('/')
    await noHorizontalScroll(page)
    await page.evaluate("document.querySelector('h1').style.width = '500px'")
    await assert.rejects(noHorizontalScroll(page), /wide in a window of 390 px:[\s\S]*h1/)
  })

  test('a control that Tab does not reach is found, and a focus that cannot be seen', async t => {
    const page = await pages.newPage(t)
    await page.goto('/')
    await tabTo(page, page.getByRole('button', { name: 'Save' }))
    await page.evaluate("document.querySelector('button').tabIndex = -1; document.activeElement.blur()")
    await assert.rejects(tabTo(page, page.getByRole('button', { name: 'Save' }), { limit: 5 }), /does not reach/)
    await page.evaluate("document.querySelector('main').style.boxShadow = '0 0 9px black'")
    await page.evaluate(
      "document.querySelector('input').style.outline = 'none'; document.querySelector('input').focus()",
    )
    await assert.rejects(focusIsVisible(page), /cannot be seen on <input/)
    await page.evaluate("document.activeElement.blur(); document.querySelector('button').tabIndex = 0")
    await assert.rejects(walkByTab(page, 4), /cannot be seen[\s\S]*<input/)
    await page.evaluate("document.querySelector('input').style.outline = ''; document.activeElement.blur()")
    assert.deepEqual(
      [...(await walkByTab(page, 8))],
      ['<input id="name" style="">', '<button tabindex="0">Save</button>'],
    )
  })

  test('no process of the browser is left, even when it does not answer', async () => {
    const running = await startChromium()
    process.kill(running.pid, 'SIGSTOP')
    await running.close(300)
    for (const deadlineMs = performance.now() + 5_000; alive(running.group).length > 0; await sleep(50)) {
      assert.ok(performance.now() < deadlineMs, `still there: ${alive(running.group)}`)
    }
  })
})

/** The elements of the fixture by their names, a sheet for a rule, and a link within a text; `act` happens to them. */
function plant(act: string): string {
  return `{
    const [main, h1, label, input, button] = document.querySelectorAll('main, h1, label, input, button')
    const sheet = css => {
      document.adoptedStyleSheets.push(new CSSStyleSheet())
      document.adoptedStyleSheets[0].replaceSync(css)
    }
    const link = css => {
      const text = document.createElement('p')
      text.append('See ', Object.assign(document.createElement('a'), { href: '/', textContent: 'there' }), ' for more.')
      text.lastElementChild.style.cssText = css
      main.append(text)
    }
    ${act}
  }; undefined`
}

const styles = '[document.adoptedStyleSheets.length, document.documentElement.outerHTML]'

/** Processes of a group that are more than an entry which nobody has collected yet. */
function alive(group: number): string[] {
  const lines = execFileSync('ps', ['-eo', 'pgid=,stat=,args='], { encoding: 'utf8' }).split('\n')
  return lines.filter(line => new RegExp(`^\\s*${group}\\s+[^Z]`).test(line))
}

const fixture = `<!doctype html><html lang="en"><head><title>Fixture</title><link rel="icon" href="data:,"></head>
<body><main><h1>Fixture</h1><label for="name">Name</label><input id="name"><button>Save</button></main></body></html>`
