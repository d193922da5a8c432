// What the merge of records says.
export const en = {
  done: '{count, number} {many} are now one: {name}.',
  title: 'Merge {count, number} {many}',
  text: 'Choose the one to keep, and the value to keep for each field that differs.',
  attached:
    '{count, plural, one {Notes, tasks, files and tags of the other come along, and the timeline shows what was exchanged with the numbers of both.} other {Notes, tasks, files and tags of the others come along, and the timeline shows what was exchanged with the numbers of all of them.}}',
  references:
    '{count, plural, one {Records that refer to the other will refer to the one you keep.} other {Records that refer to the others will refer to the one you keep.}}',
  trash:
    '{count, plural, one {The other moves to the trash, and its address leads to the one you keep.} other {The other # {many} move to the trash, and their addresses lead to the one you keep.}}',
  final: 'You can’t undo a merge.',
  table: '{many} side by side',
  caption: 'Values to keep, by field',
  same: 'They have the same values in every field.',
  sameFields: '{count, plural, one {# field is the same} other {# fields are the same}}',
  created: 'created <time></time>',
  keepNamed: '<hidden>{name}:</hidden> keep this one',
  valueOf: '{field} of {name}:',
  allKept: '{count, plural, one {the one entry is kept} other {all # are kept}}',
  firstKept: 'the first {count, number} are kept, {left, number} won’t fit',
  empty: 'Empty',
  leaveOut: 'Leave {name} out',
} as const
