// The vocabulary documents itself: every verb and property says what it is, every example is one the server takes, every
// default is within its own limits, and the reference names them all.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { check, type Schema } from './check.ts'
import { commandFault, commandVerbs, readCommand } from './commands.ts'
import { withDefaults } from './defaults.ts'
import { describeDigits, describeInstruction, withoutSecrets } from './describe.ts'
import { instructionsMarkdown, menuExample } from './docs.ts'
import { readingContext } from './index.ts'
import { type Instruction, type Verb, verbSchemas, verbs, verbsOfList } from './schema.ts'
import { goesOn, liveStates, traits } from './traits.ts'
import { readInstructions } from './validate.ts'

const context = readingContext({
  egress: { allow: [], allowHttp: false, hosts: [] },
  mode: 'live',
  defaultCountry: 'DE',
})
const schemas = Object.entries(verbSchemas) as unknown as [Verb, Schema][]

/** The instructions of a list that must be without fault. */
function read(value: unknown): Instruction[] {
  const reading = readInstructions(value, context)
  assert.ok('instructions' in reading, JSON.stringify(reading))
  return reading.instructions
}

/** Every property of every verb and target, with its path. */
function* propertiesOf(schema: Schema, path: string): Generator<[string, Schema]> {
  for (const [name, property] of Object.entries(schema.properties ?? {})) {
    yield [`${path}.${name}`, property]
    for (const choice of property.anyOf ?? property.items?.anyOf ?? []) {
      yield* propertiesOf(choice, `${path}.${name}.${choice.title}`)
    }
  }
}
const properties = schemas.flatMap(([verb, schema]) => [...propertiesOf(schema, verb)])

test('every verb has a description and examples that the server takes', () => {
  for (const [verb, schema] of schemas) {
    assert.equal(schema.title, verb)
    assert.match(schema.description ?? '', /^[A-Z`].*\.$/s, verb)
    assert.ok((schema.examples ?? []).length > 0, verb)
    for (const example of schema.examples ?? []) {
      const kind = verb === 'leave' ? 'wait' : 'any'
      // The label that the example of goto names.
      const list = verb === 'goto' ? [{ verb: 'pause', label: 'menu' }, example] : [example]
      assert.deepEqual(readInstructions(list, { ...context, kind }), { instructions: list })
    }
  }
})

test('every property has title, description and examples; examples and defaults keep to its limits', () => {
  assert.ok(properties.length > 120)
  for (const [path, schema] of properties) {
    assert.match(schema.title ?? '', /^[A-Z]/, path)
    assert.match(schema.description ?? '', /^[A-Z`].*\.$/s, path)
    assert.ok((schema.examples ?? []).length > 0, `${path} has no example`)
    const faults: [] = []
    const checking = { ...context, faults, owner: path, list: (items: readonly unknown[]) => items }
    for (const value of [...(schema.examples ?? []), ...(schema.default === undefined ? [] : [schema.default])]) {
      check(value, schema, path, checking)
    }
    assert.deepEqual(faults, [], path)
  }
})

test('the schemas use no keyword that the check does not know', () => {
  const known =
    `type const enum properties required additionalProperties propertyNames items anyOf discriminator minLength
    maxLength pattern errorMessage format minimum maximum minItems maxItems uniqueItems minProperties maxProperties title
    description default examples writeOnly x-instructions x-callback x-maxBytes`.split(/\s+/)
  for (const [path, schema] of [...schemas, ...properties]) {
    for (const keyword of Object.keys(schema)) assert.ok(known.includes(keyword), `${path} uses ${keyword}`)
    assert.ok(schema.format === undefined || ['phone', 'url'].includes(schema.format), path)
  }
})

test('every address that is asked for instructions says so', () => {
  for (const [path, schema] of properties) {
    if (schema.format !== 'url') continue
    const isCallback = schema['x-callback'] === 'instructions'
    assert.equal(/answer is a list of instructions/.test(schema.description ?? ''), isCallback, path)
    assert.equal(/(action|confirm|wait|fallback)Url$|redirect\.url$/.test(path), isCallback, path)
  }
})

test('the reference names every verb and property, and its menu is a list the server takes', () => {
  const page = instructionsMarkdown()
  for (const verb of verbs) assert.ok(page.includes(`\n## ${verb}\n`), verb)
  for (const [path] of properties) {
    const name = path.split('.').at(-1) as string
    if (!['verb', 'label'].includes(name)) assert.ok(page.includes(`| \`${name}\` |`), path)
  }
  for (const line of page.split('\n').filter(text => text.startsWith('| `'))) {
    assert.equal(line.match(/(?<!\\)\|/g)?.length, 7, line)
  }
  assert.deepEqual(read(menuExample), menuExample)
})

test('numbers and addresses come out in their normal form', () => {
  const list = [
    { verb: 'dial', targets: [{ type: 'number', number: '030 123456' }], callerId: '+49 (0)30 654321' },
    { verb: 'redirect', url: 'HTTPS://Example.com' },
  ]
  assert.deepEqual(read(list), [
    { verb: 'dial', targets: [{ type: 'number', number: '+4930123456' }], callerId: '+4930654321' },
    { verb: 'redirect', url: 'https://example.com/' },
  ])
})

test('relative addresses are read against where the list came from', () => {
  const from = { ...context, baseUrl: 'https://example.com/calls/first?x=1' }
  const reading = readInstructions([{ verb: 'redirect', url: 'next', fallbackUrl: '/other' }], from)
  assert.deepEqual(reading, {
    instructions: [
      { verb: 'redirect', url: 'https://example.com/calls/next', fallbackUrl: 'https://example.com/other' },
    ],
  })
})

test('withDefaults fills in what is left out, and never shares a default', () => {
  const gather = withDefaults({ verb: 'gather', timeoutSeconds: 9 })
  assert.deepEqual(gather, {
    verb: 'gather',
    input: ['dtmf'],
    finishOnKey: '#',
    timeoutSeconds: 9,
    betweenDigitsSeconds: 5,
    bargeIn: true,
    sensitive: false,
    actionOnEmpty: false,
  })
  gather.input.pop()
  assert.deepEqual(withDefaults({ verb: 'gather' }).input, ['dtmf'])
  assert.equal(withDefaults({ verb: 'record' }).maxSeconds, 3_600)
  assert.equal(withDefaults({ verb: 'record', mode: 'call' }).maxSeconds, undefined)
  for (const [verb, schema] of schemas) {
    const complete = withDefaults((schema.examples as Instruction[])[0] as never) as Record<string, unknown>
    for (const [name, property] of Object.entries(schema.properties ?? {})) {
      if (property.default !== undefined) assert.ok(Object.hasOwn(complete, name), `${verb}.${name}`)
    }
  }
})

test('every verb is described in one line without secrets', () => {
  for (const [verb, schema] of schemas) {
    for (const example of schema.examples as Instruction[]) {
      const line = describeInstruction(example)
      assert.ok(line.startsWith(verb) && line.length <= 200 && !/[\p{Cc}]|undefined|NaN/u.test(line), line)
    }
  }
  const lines: [Instruction, string][] = [
    [{ verb: 'say', text: 'Hello\n  world' }, 'say "Hello world" (en-US)'],
    [{ verb: 'play', tone: 'hold', loop: 0 }, 'play hold, again and again'],
    [
      { verb: 'gather', numDigits: 4, sensitive: true, actionUrl: 'https://example.com/pin?token=abc' },
      'gather secret 4 digits until #, 5 s, then asks https://example.com/pin',
    ],
    [
      {
        verb: 'dial',
        targets: [
          { type: 'number', number: '+15550100002', sendDigits: '4711' },
          { type: 'sip', uri: 'sip:ada:secret@example.com?Subject=x', user: 'ada', password: 'secret' },
          { type: 'sip', uri: 'sip:desk@example.com' },
        ],
      },
      'dial +15550100002, sip:ada:•@example.com, sip:desk@example.com (simultaneous, 30 s)',
    ],
    [{ verb: 'sendDigits', digits: '4711', sensitive: true }, 'sendDigits •••• (rfc4733)'],
    [{ verb: 'message', body: 'Your code is 4711' }, 'message 17 characters'],
    [{ verb: 'hangup' }, 'hangup'],
  ]
  for (const [instruction, line] of lines) assert.equal(describeInstruction(instruction), line)
  assert.equal(describeDigits('4711', { sensitive: true }), '••••')
  assert.equal(describeDigits('4711', {}), '4711')
})

test('withoutSecrets hides passwords and secret digits wherever they stand', () => {
  const list = [
    { verb: 'sendDigits', digits: '4711', sensitive: true },
    {
      verb: 'detectMachine',
      onMachine: [
        { verb: 'dial', targets: [{ type: 'sip', uri: 'sip:a:secret@example.com', user: 'a', password: 'secret' }] },
      ],
    },
  ]
  const shown = JSON.stringify(withoutSecrets(list))
  assert.doesNotMatch(shown, /secret"|secret@|4711/)
  assert.match(shown, /"user":"a"/)
  assert.match(JSON.stringify(list), /secret@/)
})

test('the table of traits: who ends, who waits, who may be sent to a live call', () => {
  const those = (is: (verb: Verb) => boolean) => verbs.filter(is)
  assert.deepEqual(
    those(verb => traits[verb].goesOn === 'never'),
    ['reject', 'leave', 'redirect', 'hangup'],
  )
  assert.deepEqual(
    those(verb => traits[verb].command === undefined),
    ['pause', 'goto'],
  )
  assert.equal(goesOn({ verb: 'record' }), 'done')
  assert.equal(goesOn({ verb: 'record', mode: 'call' }), 'at_once')
  assert.deepEqual(verbsOfList.prompt, ['say', 'play', 'pause'])
  for (const verb of commandVerbs) {
    const states = liveStates.filter(state => commandFault(verb, { state, direction: 'inbound' }) === undefined)
    assert.deepEqual(states, traits[verb].command?.states, verb)
  }
  assert.deepEqual(commandFault('hold', { state: 'ringing', direction: 'inbound' }), {
    field: 'verb',
    code: 'not_allowed',
    message: 'hold needs an answered call, and this one is ringing',
  })
  const words = (verb: Verb, state: (typeof liveStates)[number], direction: 'inbound' | 'outbound') =>
    commandFault(verb, { state, direction })?.message
  assert.equal(words('answer', 'ringing', 'outbound'), 'answer is for calls that came in; use hangup to end this one')
  assert.equal(
    words('reject', 'answered', 'inbound'),
    'reject is for a call that is not answered yet; use hangup to end this one',
  )
  assert.equal(words('pause', 'answered', 'inbound'), 'pause is no command; send it in a list of instructions')
})

test('a command is one verb, or a new list', () => {
  assert.deepEqual(readCommand({ verb: 'hold' }, context), {
    command: { kind: 'instruction', instruction: { verb: 'hold' } },
  })
  const instructions = [{ verb: 'say', text: 'Hello' }]
  assert.deepEqual(readCommand({ instructions }, context), { command: { kind: 'instructions', instructions } })
  const fault = (body: unknown) => {
    const answer = readCommand(body, context)
    return 'faults' in answer ? answer.faults.map(({ field, message }) => `${field}: ${message}`) : []
  }
  assert.deepEqual(fault({ verb: 'hold', leg: 'both' }), ['leg: must be one of: self, peer'])
  assert.deepEqual(fault({ verb: 'say', instructions }), [
    'instructions: must stand alone: send one verb, or a new list of instructions',
  ])
  assert.deepEqual(fault({ instructions: [{ verb: 'leave' }] }), [
    'instructions[0].verb: leave is not allowed here; it is for wait of enqueue, or a command',
  ])
  assert.deepEqual(readCommand({ verb: 'leave' }, context), {
    command: { kind: 'instruction', instruction: { verb: 'leave' } },
  })
  assert.deepEqual(fault({ verb: 'record' }), [
    'mode: must be call as a command; for a message, send a list of instructions',
  ])
  assert.match(
    fault({ verb: 'goto', to: 'x' })[0] ?? '',
    /^verb: goto is not allowed as a command; it takes answer, reject/,
  )
  assert.deepEqual(fault({ verb: 'transfer', to: { type: 'client', identity: 'ada' }, onFail: [{ verb: 'leave' }] }), [
    'onFail[0].verb: leave is not allowed in onFail; it is for wait of enqueue, or a command',
  ])
  assert.match(fault({})[0] ?? '', /^verb: is required/)
})
