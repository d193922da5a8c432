// The English texts of the notice that undoes a change of many.
export const en = {
  undo: 'Undo',
  undone: 'Undone: {what} restored.',
  undoneSome: 'Undone: {what} restored. {others} changed since and stayed as they were.',
} as const
