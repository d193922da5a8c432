// Colours the lines in sight: JSON tokens, variables, ids. Line by line, for no token of JSON spans two.

import { type Extension, RangeSetBuilder, type StateEffectType } from '@codemirror/state'
import { Decoration, type DecorationSet, type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view'
import { byLanguage } from '../../words/words.ts'
import { tokensOf } from '../body/row_segments.ts'
import { t } from '../texts.ts'

/** Longer lines stay plain: colouring them would cost more than it gives. */
const MAX_LINE = 20_000

const marks = {
  plain: Decoration.mark({}),
  key: Decoration.mark({ class: 'tok-key' }),
  string: Decoration.mark({ class: 'tok-string' }),
  number: Decoration.mark({ class: 'tok-number' }),
  atom: Decoration.mark({ class: 'tok-atom' }),
}

function inSight(view: EditorView, mark: (text: string, from: number, add: Add) => void): DecorationSet {
  const builder = new RangeSetBuilder<Decoration>()
  const { doc } = view.state
  let last = -1
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at)
      if (line.from > last && line.length <= MAX_LINE) {
        mark(line.text, line.from, (start, end, decoration) => builder.add(start, end, decoration))
        last = line.from
      }
      at = line.to + 1
    }
  }
  return builder.finish()
}
type Add = (from: number, to: number, decoration: Decoration) => void

function plugin(mark: (text: string, from: number, add: Add) => void, when?: StateEffectType<null>): Extension {
  return ViewPlugin.define(
    view => {
      const state = {
        decorations: inSight(view, mark),
        update(update: ViewUpdate) {
          const reported =
            when !== undefined && update.transactions.some(({ effects }) => effects.some(effect => effect.is(when)))
          if (update.docChanged || update.viewportChanged || reported) state.decorations = inSight(update.view, mark)
        },
      }
      return state
    },
    { decorations: state => state.decorations },
  )
}

export const jsonColours = plugin((text, from, add) => {
  for (const token of tokensOf(text)) add(from + token.from, from + token.to, marks[token.kind])
})

const known = Decoration.mark({ class: 'cm-variable' })
const unknown = byLanguage(() =>
  Decoration.mark({ class: 'cm-variable cm-variable-unknown', attributes: { title: t('variableUnknown') } }),
)

/** `{{name}}`, in the colour of a known or an unknown one; looked at again on the effect `when`. */
export function variableColours(isKnown: (name: string) => boolean, when: StateEffectType<null>): Extension {
  return plugin((text, from, add) => {
    for (const match of text.matchAll(/\{\{([A-Za-z_][\w.-]*)\}\}/g)) {
      add(from + match.index, from + match.index + match[0].length, isKnown(match[1]!) ? known : unknown())
    }
  }, when)
}

const id = byLanguage(() => Decoration.mark({ class: 'cm-id', attributes: { title: t('inspect') } }))

/** Ids that the inspector opens. */
export const idColours = plugin((text, from, add) => {
  for (const match of text.matchAll(/\b(?:msg|call|req|key|evt)_[0-9a-z]{26}\b/g)) {
    add(from + match.index, from + match.index + match[0].length, id())
  }
})
