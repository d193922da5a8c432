// Every fault of a list of instructions, with its exact words: they are what a developer has at hand when a call does not
// do what it should. And hostile input: it is refused in bounded time, whatever it is.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { problems } from '../../../nouns.ts'
import { instructionsProblem, readInstructions, readingContext } from './index.ts'
import { limits } from './parts.ts'

const context = readingContext({
  egress: { allow: [], allowHttp: false, hosts: [] },
  mode: 'live',
  defaultCountry: 'US',
})

/** The faults of a value as `place: words (code)`. */
function faultsOf(value: unknown, kind?: 'wait' | 'prompt'): string[] {
  const reading = readInstructions(value, { ...context, kind })
  return 'faults' in reading ? reading.faults.map(({ field, message, code }) => `${field}: ${message} (${code})`) : []
}

/** Faults of one instruction, with paths that start in it. */
function of(instruction: unknown): string[] {
  return faultsOf([instruction]).map(line => line.replaceAll('instructions[0].', '.').replace(/^instructions\[0\]/, ''))
}

const say = { verb: 'say', text: 'Hello' }
const number = { type: 'number', number: '+15550100002' }
const sip = { type: 'sip', uri: 'sip:desk@example.com' }
const url = 'https://example.com/next'

test('what is no list', () => {
  const words = 'instructions: must be an array of instructions'
  assert.deepEqual(faultsOf('say'), [`${words}: such as [{"verb": "say", "text": "Hello"}] (wrong_type)`])
  assert.deepEqual(faultsOf(null), [`${words}: such as [{"verb": "say", "text": "Hello"}] (wrong_type)`])
  assert.deepEqual(faultsOf(undefined), [`${words}: such as [{"verb": "say", "text": "Hello"}] (wrong_type)`])
  assert.deepEqual(faultsOf(say), [`${words}: put the instruction into [ ] (wrong_type)`])
  assert.deepEqual(faultsOf([]), [
    'instructions: must have at least 1 instruction; use hangup to end the call (too_few)',
  ])
})

test('verbs', () => {
  const fault = (verb: unknown) => of({ verb })[0]
  assert.equal(of('say')[0], ': must be an object with a verb, such as {"verb": "say", "text": "Hello"} (wrong_type)')
  assert.equal(of({ text: 'Hello' })[0], '.verb: is required: it says what to do (required)')
  assert.equal(
    of({ action: 'talk', text: 'Hello' })[0],
    '.verb: is required: it says what to do (what NCCO calls action) (required)',
  )
  assert.match(fault(7) ?? '', /^\.verb: must be a string: one of answer, reject, say, .*hangup \(wrong_type\)$/)
  assert.equal(fault('sya'), '.verb: "sya" is no verb; did you mean say? (unknown_verb)')
  assert.equal(fault('Hangup'), '.verb: "Hangup" is no verb; did you mean hangup? (unknown_verb)')
  assert.equal(fault('talk'), '.verb: "talk" is no verb; did you mean say? (unknown_verb)')
  assert.equal(fault('sip:refer'), '.verb: "sip:refer" is no verb; did you mean transfer? (unknown_verb)')
  for (const verb of ['stream', 'transcribe', 'agent', '', 'constructor', '__proto__', 'toString']) {
    assert.match(fault(verb) ?? '', /is no verb; verbs are: answer, reject, .* \(unknown_verb\)$/, verb)
  }
  assert.equal(
    of({ verb: 'gather', prompt: [{ verb: 'dial', targets: [number] }] })[0],
    '.prompt[0].verb: dial is not allowed in prompt; it takes say, play, pause (not_allowed)',
  )
  assert.equal(
    of({ verb: 'leave' })[0],
    '.verb: leave is not allowed here; it is for wait of enqueue, or a command (not_allowed)',
  )
  assert.equal(
    faultsOf([{ verb: 'dial', targets: [number] }], 'wait')[0],
    'instructions[0].verb: dial is not allowed here; it takes say, play, pause, gather, leave (not_allowed)',
  )
})

test('properties: unknown, misspelt, of other systems, missing', () => {
  assert.deepEqual(of({ verb: 'pause', color: 'red' }), [
    '.color: is no property of pause; it takes: verb, label, seconds (unknown_field)',
  ])
  const meant: [object, string, string][] = [
    [{ verb: 'gather', numdigits: 1 }, 'numdigits', 'numDigits'],
    [{ verb: 'gather', numDigit: 1 }, 'numDigit', 'numDigits'],
    [{ verb: 'gather', nmuDigits: 1 }, 'nmuDigits', 'numDigits'],
    [{ verb: 'gather', finish_on_key: '#' }, 'finish_on_key', 'finishOnKey'],
    [{ verb: 'gather', timeout: 5 }, 'timeout', 'timeoutSeconds'],
    [{ verb: 'gather', actionHook: url }, 'actionHook', 'actionUrl'],
    [{ verb: 'gather', say: 'Hello' }, 'say', 'prompt'],
    [{ verb: 'pause', length: 5 }, 'length', 'seconds'],
    [{ verb: 'dial', targets: [number], timeLimit: 5 }, 'timeLimit', 'timeLimitSeconds'],
    [{ verb: 'dial', targets: [number], from: '+15550100001' }, 'from', 'callerId'],
    [{ verb: 'record', maxLength: 5 }, 'maxLength', 'maxSeconds'],
    [{ verb: 'conference', name: 'x', startConferenceOnEnter: true }, 'startConferenceOnEnter', 'startOnEnter'],
    [{ verb: 'message', body: 'x', text: 'x' }, 'text', 'body'],
  ]
  for (const [instruction, name, ours] of meant) {
    const { verb } = instruction as { verb: string }
    assert.deepEqual(of(instruction), [`.${name}: is no property of ${verb}; did you mean ${ours}? (unknown_field)`])
  }
  assert.deepEqual(of({ verb: 'say' }), ['.text: is required by say (required)'])
  assert.deepEqual(of({ verb: 'dial', target: [number] }), [
    '.target: is no property of dial; did you mean targets? (unknown_field)',
    '.targets: is required by dial (required)',
  ])
  assert.deepEqual(of({ verb: 'say', text: 'x', 'a.b': 1 }), [
    ': has "a.b", which is no property of say; it takes: verb, label, text, language, voice, loop, bargeIn (unknown_field)',
  ])
})

test('values: types, limits, forms', () => {
  const cases: [object, string][] = [
    [{ verb: 'say', text: 7 }, '.text: must be a string: write "7" in quotes (wrong_type)'],
    [{ verb: 'say', text: null }, '.text: must be a string; leave it out instead of null (wrong_type)'],
    [{ verb: 'say', text: '' }, '.text: must not be empty (too_short)'],
    [{ verb: 'say', text: 'x'.repeat(4_097) }, '.text: must have at most 4096 characters (too_long)'],
    [{ verb: 'say', text: 'a\0b' }, '.text: must not contain the NUL character (wrong_format)'],
    [
      { verb: 'say', text: '\ud800' },
      '.text: must be well-formed Unicode, without half of a surrogate pair (wrong_format)',
    ],
    [
      { verb: 'say', text: 'x', language: 'English' },
      '.language: must be a language tag, such as en-US or de (wrong_format)',
    ],
    [{ verb: 'say', text: 'x', loop: '2' }, '.loop: must be an integer: write 2 without quotes (wrong_type)'],
    [{ verb: 'say', text: 'x', loop: 1.5 }, '.loop: must be an integer (wrong_type)'],
    [{ verb: 'say', text: 'x', loop: -1 }, '.loop: must be at least 0 (too_small)'],
    [{ verb: 'say', text: 'x', loop: 1_001 }, '.loop: must be at most 1000 (too_large)'],
    [
      { verb: 'say', text: 'x', bargeIn: 'true' },
      '.bargeIn: must be a boolean: write true without quotes (wrong_type)',
    ],
    [{ verb: 'pause', seconds: 'long' }, '.seconds: must be a number (wrong_type)'],
    [{ verb: 'pause', label: 'a b' }, '.label: must consist of letters, digits, _ and - (wrong_format)'],
    [
      { verb: 'play', tone: 'bussy' },
      '.tone: must be one of: ringback, busy, congestion, dial, beep, hold; did you mean busy? (not_allowed)',
    ],
    [{ verb: 'gather', input: ['speech'] }, '.input[0]: must be one of: dtmf (not_allowed)'],
    [{ verb: 'gather', input: [] }, '.input: must have at least 1 entry (too_few)'],
    [{ verb: 'gather', input: ['dtmf', 'dtmf'] }, '.input: must have at most 1 entry (too_many)'],
    [{ verb: 'gather', finishOnKey: '##' }, '.finishOnKey: must have at most 1 character (too_long)'],
    [
      { verb: 'gather', finishOnKey: 'x' },
      '.finishOnKey: must be one key (0-9, A-D, *, #), or empty for none (wrong_format)',
    ],
    [{ verb: 'gather', prompt: [] }, '.prompt: must have at least 1 instruction; leave it out for none (too_few)'],
    [{ verb: 'gather', prompt: say }, '.prompt: must be an array (wrong_type)'],
    [
      { verb: 'gather', branches: { x: 'a' } },
      '.branches: has "x": names must be what is typed: 0-9, A-D, *, # (wrong_format)',
    ],
    [
      { verb: 'sendDigits', digits: '12,3' },
      '.digits: must consist of 0-9, A-D, *, #, w (half a second) and W (one second) (wrong_format)',
    ],
    [{ verb: 'dial', targets: [] }, '.targets: must have at least 1 entry (too_few)'],
    [{ verb: 'dial', targets: Array(11).fill(number) }, '.targets: must have at most 10 entries (too_many)'],
    [
      { verb: 'dial', targets: ['+15550100002'] },
      '.targets[0]: must be an object with a type, such as {"type": "number", "number": "+15550100002"} (wrong_type)',
    ],
    [
      { verb: 'dial', targets: [{ number: '1' }] },
      '.targets[0].type: is required: one of number, sip, client, queue (required)',
    ],
    [
      { verb: 'dial', targets: [{ type: 'phone' }] },
      '.targets[0].type: must be one of: number, sip, client, queue; did you mean number? (not_allowed)',
    ],
    [
      { verb: 'dial', targets: [{ type: ['number'] }] },
      '.targets[0].type: must be one of: number, sip, client, queue (not_allowed)',
    ],
    [
      { verb: 'dial', targets: [{ type: 'number', number: 'Ada' }] },
      '.targets[0].number: must be a telephone number, best with + and country code, such as +15550100001 (wrong_format)',
    ],
    [
      { verb: 'dial', targets: [{ ...number, uri: 'x' }] },
      '.targets[0].uri: is no property of a target of type number; it takes: type, number, sendDigits, timeoutSeconds (unknown_field)',
    ],
    [
      { verb: 'dial', targets: [{ ...sip, uri: 'desk@example.com' }] },
      '.targets[0].uri: must be a SIP address, such as sip:desk@pbx.example.com (wrong_format)',
    ],
    [
      { verb: 'dial', targets: [{ ...sip, headers: { Via: 'x' } }] },
      '.targets[0].headers: has "Via": names must be X-… or User-to-User (wrong_format)',
    ],
    [
      { verb: 'dial', targets: [{ ...sip, headers: { 'X-A': 'a\r\nVia: b' } }] },
      '.targets[0].headers.X-A: must not contain control characters (wrong_format)',
    ],
    [
      { verb: 'redirect', url: 'ftp://example.com' },
      '.url: must begin with https:// (http:// is for the test mode) (scheme_not_allowed)',
    ],
    [
      { verb: 'redirect', url: 'https://10.0.0.1/' },
      '.url: names an address that callbacks may not reach; use a public one, or have the operator allow it (TANDEM_EGRESS_ALLOW) (address_not_allowed)',
    ],
    [
      { verb: 'redirect', url: '/next' },
      '.url: is not an address; send one such as https://example.com/hooks (not_a_url)',
    ],
    [{ verb: 'tag', tags: ['a', 'a'] }, '.tags: must not name anything twice (not_allowed)'],
    [{ verb: 'notify', data: {} }, '.data: must have at least 1 entry (too_few)'],
    [{ verb: 'notify', data: [1] }, '.data: must be an object (wrong_type)'],
    [{ verb: 'notify', data: { a: 'x'.repeat(5_000) } }, '.data: must have at most 4096 bytes as JSON (too_long)'],
    [{ verb: 'notify', data: { a: [{ b: '\0' }] } }, '.data: must not contain the NUL character (wrong_format)'],
  ]
  for (const [instruction, words] of cases) assert.deepEqual(of(instruction), [words])
})

test('combinations that cannot be', () => {
  const cases: [object, string][] = [
    [{ verb: 'reject', reason: 'busy', sipCode: 404 }, '.sipCode: give reason or sipCode, not both (conflict)'],
    [{ verb: 'say', text: '<speak>Hello' }, '.text: begins as SSML, so it must end with </speak> (wrong_format)'],
    [{ verb: 'play' }, ': needs url or tone: there is nothing to play (required)'],
    [{ verb: 'play', url: `${url}.wav`, tone: 'beep' }, '.tone: give url or tone, not both (conflict)'],
    [{ verb: 'play', tone: 'beep', seekSeconds: 1 }, '.seekSeconds: is for a file; leave it out with tone (conflict)'],
    [
      { verb: 'gather', finishOnKey: '' },
      ': needs numDigits or finishOnKey: nothing else says when the digits are complete (required)',
    ],
    [
      { verb: 'gather', actionOnEmpty: true },
      '.actionOnEmpty: means nothing without actionUrl; add that, or leave it out (conflict)',
    ],
    [
      { verb: 'gather', label: 'a', numDigits: 1, branches: { '12': 'a' } },
      '.branches.12: can never be typed: numDigits is 1 (unreachable)',
    ],
    [
      { verb: 'gather', label: 'a', branches: { '#': 'a' } },
      '.branches.#: can never be typed: # is the finishOnKey (unreachable)',
    ],
    [
      { verb: 'dial', targets: [number, { type: 'queue', queue: 'a' }] },
      '.targets[1]: must be the only target: a queue cannot ring (conflict)',
    ],
    [
      { verb: 'dial', targets: [{ ...sip, password: 'x' }] },
      '.targets[0]: needs user too: user and password belong together (required)',
    ],
    [
      { verb: 'dial', targets: [{ ...sip, user: 'x' }] },
      '.targets[0]: needs password too: user and password belong together (required)',
    ],
    [
      { verb: 'dial', targets: [number], confirm: [say], confirmUrl: url },
      '.confirmUrl: give confirm or confirmUrl, not both (conflict)',
    ],
    [
      { verb: 'dial', targets: [number], confirmKey: '1' },
      '.confirmKey: needs confirm, which asks the one who answers to press it (conflict)',
    ],
    [
      { verb: 'dial', targets: [number], onEnd: [say], onFail: [say], actionUrl: url },
      '.actionUrl: give actionUrl or onEnd and onFail, not both: one of them decides how to go on (conflict)',
    ],
    [
      { verb: 'conference', name: 'x', coach: 'call_01kahm3zr4q8n5t2w7x9y0b1c3', muted: true },
      '.muted: contradicts coach: a coach must be heard by the one who is coached; leave muted out (conflict)',
    ],
    [{ verb: 'enqueue', queue: 'a', wait: [say], waitUrl: url }, '.waitUrl: give wait or waitUrl, not both (conflict)'],
    [
      { verb: 'record', mode: 'call', trim: true },
      '.trim: is for mode message; leave it out with mode call (conflict)',
    ],
    [
      { verb: 'record', channels: 'dual' },
      '.channels: is for mode call: a message has one side only; use mono, or mode call (conflict)',
    ],
    [
      { verb: 'transfer', to: number, confirm: [say] },
      '.confirm: is for mode attended: in a blind transfer the remote party calls by itself (conflict)',
    ],
    [
      { verb: 'transfer', to: { ...sip, user: 'a', password: 'b' } },
      '.to: has a user or password, which a blind transfer cannot hand on; use mode attended (conflict)',
    ],
    [{ verb: 'tag' }, ': needs tags or metadata: there is nothing to add (required)'],
    [{ verb: 'goto', label: 'a', to: 'a' }, '.to: jumps to itself; name another label (conflict)'],
  ]
  for (const [instruction, words] of cases) assert.deepEqual(of(instruction), [words])
})

test('labels and order', () => {
  const label = (name: string) => ({ verb: 'pause', label: name })
  assert.deepEqual(faultsOf([label('menu'), { verb: 'goto', to: 'menue' }]), [
    'instructions[1].to: is no label of this list or of one around it; did you mean menu? (unknown_label)',
  ])
  assert.deepEqual(faultsOf([{ verb: 'goto', to: 'menu' }]), [
    'instructions[0].to: is no label of this list or of one around it; give an instruction this label (unknown_label)',
  ])
  assert.deepEqual(faultsOf([label('sales'), { verb: 'gather', branches: { '1': 'x' } }]), [
    'instructions[1].branches.1: is no label of this list or of one around it; labels are: sales (unknown_label)',
  ])
  assert.deepEqual(faultsOf([label('a'), label('a')]), [
    'instructions[1].label: is the label of instructions[0] already; labels stand once (duplicate_label)',
  ])
  // Into a list from outside nobody jumps; out of it one may.
  const inner = (to: string) => [
    label('outer'),
    { verb: 'detectMachine', onMachine: [label('inner'), { verb: 'goto', to }] },
  ]
  assert.deepEqual(faultsOf(inner('outer')), [])
  assert.deepEqual(faultsOf([...inner('inner'), { verb: 'goto', to: 'inner' }]), [
    'instructions[2].to: is no label of this list or of one around it; labels are: outer (unknown_label)',
  ])
  assert.deepEqual(faultsOf([{ verb: 'hangup' }, say]), [
    'instructions[1]: is never reached: hangup stands before it; remove it, or give it a label (unreachable)',
  ])
  assert.deepEqual(faultsOf([{ verb: 'hangup' }, { ...say, label: 'a' }]), [])
  assert.deepEqual(faultsOf([say, { verb: 'reject' }]), [
    'instructions[1]: comes too late: instructions[0] (say) has answered the call; use hangup (conflict)',
  ])
  assert.deepEqual(faultsOf([{ verb: 'pause' }, { verb: 'reject' }]), [])
  assert.deepEqual(faultsOf([say, { verb: 'reject', label: 'closed' }]), [])
  assert.deepEqual(faultsOf([{ verb: 'dial', targets: [number], answerOnBridge: true }, { verb: 'reject' }]), [])
})

test('limits: instructions, depth, bytes, faults', () => {
  assert.deepEqual(faultsOf(Array(100).fill(say)), [])
  assert.deepEqual(faultsOf(Array(101).fill(say)), [
    'instructions: must have at most 100 instructions, those of nested lists counted; go on with redirect (too_many)',
  ])
  const wide = Array(50).fill({ verb: 'gather', prompt: [say, say] })
  assert.deepEqual(faultsOf(wide), [
    'instructions: must have at most 100 instructions, those of nested lists counted; go on with redirect (too_many)',
  ])
  const deep = (levels: number): object[] =>
    levels === 1 ? [say] : [{ verb: 'detectMachine', onMachine: deep(levels - 1) }]
  assert.deepEqual(faultsOf(deep(limits.depth)), [])
  assert.deepEqual(faultsOf(deep(limits.depth + 1)), [
    `instructions[0]${'.onMachine[0]'.repeat(3)}.onMachine: lists stand at most 4 deep in each other; use goto and labels, or redirect (too_deep)`,
  ])
  const long = { verb: 'say', text: 'x'.repeat(4_000) }
  assert.match(
    faultsOf(Array(17).fill(long))[0] ?? '',
    /^instructions: has 68\d{3} bytes as JSON; at most 65536 are taken: split it, and go on with redirect \(too_long\)$/,
  )
  assert.equal(faultsOf(Array(60).fill({ verb: 'say', txt: 1 })).length, limits.faults)
})

test('the refusal names the first fault and lists all', () => {
  const reading = readInstructions([{ verb: 'sya' }, { verb: 'say' }], context)
  assert.ok('faults' in reading)
  const problem = instructionsProblem(reading.faults)
  assert.equal(problem.code, 'invalid_instructions')
  assert.equal(problems.invalid_instructions.status, 400)
  assert.equal(
    problem.message,
    'instructions[0].verb: "sya" is no verb; did you mean say? (and 1 more fault in details)',
  )
  assert.deepEqual(problem.details, reading.faults)
})

test('hostile names are no properties, and change nothing', () => {
  const text = `[{"verb":"say","text":"x","__proto__":{"loop":9},"constructor":1,"toString":2,"hasOwnProperty":3}]`
  assert.deepEqual(
    faultsOf(JSON.parse(text)).map(line => line.replace(/;.*/, '')),
    ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(
      name => `instructions[0].${name}: is no property of say`,
    ),
  )
  // In free data any name may stand, and stays a member of its own.
  const free = JSON.parse(
    '[{"verb":"tag","metadata":{"__proto__":"x"}},{"verb":"notify","data":{"__proto__":{"a":1}}}]',
  )
  const reading = readInstructions(free, context)
  assert.ok('instructions' in reading)
  assert.equal(JSON.stringify(reading.instructions), JSON.stringify(free))
  assert.equal(({} as { a?: number }).a, undefined)
  assert.match(faultsOf([Object.create({ verb: 'say', text: 'x' })])[0] ?? '', /verb: is required/)
})

test('deep, wide and long input is refused without being walked', () => {
  let nest: unknown = 'x'
  for (let depth = 0; depth < 100_000; depth++) nest = [nest]
  assert.deepEqual(faultsOf(nest), ['instructions: is nested more than 40 deep; send a flatter list (too_deep)'])
  assert.deepEqual(faultsOf([{ verb: 'notify', data: { nest } }]), [
    'instructions: is nested more than 40 deep; send a flatter list (too_deep)',
  ])
  assert.match(faultsOf([{ verb: 'x'.repeat(10_000_000) }])[0] ?? '', /bytes as JSON/)
  const long = faultsOf([{ verb: 'v'.repeat(60_000) }])[0] ?? ''
  assert.ok(long.includes(`"${'v'.repeat(40)}…" is no verb`) && long.length < 400, long)
  const name = faultsOf([{ ...say, ['n'.repeat(60_000)]: 1 }])[0] ?? ''
  assert.ok(name.includes(`has "${'n'.repeat(40)}…"`) && name.length < 300, name)
  const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`p${index}`, 1]))
  assert.equal(faultsOf([{ ...say, ...many }]).length, limits.faults)
  // Patterns take time that grows with the text only.
  const tag = faultsOf([{ verb: 'say', text: 'x', language: `aa${'-aa'.repeat(15_000)}!` }])
  assert.deepEqual(tag, ['instructions[0].language: must have at most 35 characters (too_long)'])
})
