// The list that calls to a number begin with, as text to be typed: read again, and examples to start from.
import type { NumbersVoiceSetParams } from '@tandem/sdk'
import { t } from './texts.ts'

type Instructions = NonNullable<NumbersVoiceSetParams['instructions']>

/** What is read of the text: null where it is empty, or what is wrong with it. */
export function instructionsOf(text: string): { instructions: Instructions | null } | { fault: string } {
  if (text.trim() === '') return { instructions: null }
  if (text.includes('••••')) return { fault: t('passwordsAgain') }
  try {
    const value: unknown = JSON.parse(text)
    const list = typeof value === 'object' && value !== null && !Array.isArray(value) ? [value] : value
    if (Array.isArray(list)) return { instructions: list as Instructions }
    return { fault: t('notList', { example: '[{"verb": "say", "text": "…"}]' }) }
  } catch (error) {
    return { fault: t('notJson', { fault: (error as Error).message }) }
  }
}

/** How instructions call each other. */
const labels = { menu: 'menu', sales: 'sales', hours: 'hours' }

const examples = {
  message: {
    list: () => [{ verb: 'say', text: t('say.busy') }, { verb: 'record', maxSeconds: 120 }, { verb: 'hangup' }],
  },
  forward: {
    list: () => [
      {
        verb: 'dial',
        targets: [{ type: 'number', number: '+15550100002' }],
        timeoutSeconds: 20,
        onEnd: [{ verb: 'hangup' }],
      },
      { verb: 'say', text: t('say.absent') },
      { verb: 'record', maxSeconds: 120 },
    ],
  },
  browser: {
    list: (email: string) => [{ verb: 'dial', targets: [{ type: 'client', identity: email }] }],
  },
  menu: {
    list: () => [
      {
        verb: 'gather',
        label: labels.menu,
        numDigits: 1,
        prompt: [{ verb: 'say', text: t('say.menu') }],
        branches: { 1: 'sales', 2: 'hours' },
      },
      { verb: 'goto', to: 'menu', times: 2 },
      { verb: 'hangup' },
      {
        verb: 'dial',
        label: labels.sales,
        targets: [{ type: 'number', number: '+15550100002' }],
        onEnd: [{ verb: 'hangup' }],
        onFail: [{ verb: 'say', text: t('say.again') }, { verb: 'hangup' }],
      },
      { verb: 'say', label: labels.hours, text: t('say.hours') },
    ],
  },
} as const

export type VoiceExample = keyof typeof examples
export const exampleNames = () =>
  (Object.keys(examples) as VoiceExample[]).map(value => ({ value, label: t(`example.${value}`) }))

/** @param email of who asks: their phone in the browser rings by it */
export function voiceExample(name: VoiceExample, email: string): string {
  return JSON.stringify(examples[name].list(email), null, 2)
}
