// The texts that wait for an answer, as their card shows them: the one place that says where they come from and where they are answered.
import type { Home } from './use_home.ts'

type Text = NonNullable<Home['waiting']['texts']>['items'][number]
export type WaitingTexts = { count: number; items: readonly Text[] }

/** Null where the person answers none. */
export const waitingTextsOf = ({ waiting }: Home): WaitingTexts | null => waiting.texts

/** Where it is answered. */
export const answerAt = ({ messageId }: Text) => ({ to: '/messages/$id', params: { id: messageId } })
export const allTexts = { to: '/messages', search: { direction: 'inbound' } }
