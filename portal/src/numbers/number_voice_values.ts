// The list that calls to a number begin with, as text to be typed: read again, and examples to start from.
import type { NumbersVoiceSetParams } from '@tandem/sdk'

type Instructions = NonNullable<NumbersVoiceSetParams['instructions']>

/** What is read of the text: null where it is empty, or what is wrong with it. */
export function instructionsOf(text: string): { instructions: Instructions | null } | { fault: string } {
  if (text.trim() === '') return { instructions: null }
  if (text.includes('••••')) return { fault: 'Type each password again in the place of its dots.' }
  try {
    const value: unknown = JSON.parse(text)
    const list = typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value
    if (Array.isArray(list)) return { instructions: list as Instructions }
    return { fault: 'Write a list in square brackets, such as [{"verb": "say", "text": "Hello."}].' }
  } catch (error) {
    return { fault: `This is not JSON: ${(error as Error).message}. Mend it, or take an example.` }
  }
}

const examples = {
  message: {
    label: 'Take a message',
    list: () => [
      { verb: 'say', text: 'Nobody can take your call now. Please leave a message after the tone.' },
      { verb: 'record', maxSeconds: 120 },
      { verb: 'hangup' },
    ],
  },
  forward: {
    label: 'Pass it on to a number, else take a message',
    list: () => [
      {
        verb: 'dial',
        targets: [{ type: 'number', number: '+15550100002' }],
        timeoutSeconds: 20,
        onEnd: [{ verb: 'hangup' }],
      },
      { verb: 'say', text: 'Nobody is there. Please leave a message after the tone.' },
      { verb: 'record', maxSeconds: 120 },
    ],
  },
  browser: {
    label: 'Ring my phone in the browser',
    list: (email: string) => [{ verb: 'dial', targets: [{ type: 'client', identity: email }] }],
  },
  menu: {
    label: 'A menu by keys',
    list: () => [
      {
        verb: 'gather',
        label: 'menu',
        numDigits: 1,
        prompt: [{ verb: 'say', text: 'For sales press 1, for our opening hours press 2.' }],
        branches: { 1: 'sales', 2: 'hours' },
      },
      { verb: 'goto', to: 'menu', times: 2 },
      { verb: 'hangup' },
      {
        verb: 'dial',
        label: 'sales',
        targets: [{ type: 'number', number: '+15550100002' }],
        onEnd: [{ verb: 'hangup' }],
        onFail: [{ verb: 'say', text: 'Nobody is there. Please call again.' }, { verb: 'hangup' }],
      },
      { verb: 'say', label: 'hours', text: 'We are open from nine to five.' },
    ],
  },
} as const

export type VoiceExample = keyof typeof examples
export const exampleNames = Object.entries(examples).map(([value, { label }]) => ({ value, label }))

/** @param email of who asks: their phone in the browser rings by it */
export function voiceExample(name: VoiceExample, email: string): string {
  return JSON.stringify(examples[name].list(email), null, 2)
}
