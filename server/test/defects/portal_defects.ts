// Defects of the portal: focus, names, colours, width, paging, roles.
import type { Defect } from './defect.ts'

export const portalDefects: readonly Defect[] = [
  {
    name: 'a dialog that closes does not give the focus back',
    kind: 'portal focus',
    edits: [{ find: 'if (opener.current instanceof HTMLElement) opener.current.focus()', replace: '' }],
    tests: ['portal/test/leads.test'],
  },
  {
    name: 'buttons that show only a picture have no name',
    kind: 'portal names',
    edits: [{ find: /title=\{label\}\s+(\{\.\.\.rest\}\s+)aria-label=\{label\}/, replace: '$1' }],
    tests: ['portal/test/usage.test'],
  },
  {
    name: 'one button of one form has no name',
    kind: 'portal names',
    edits: [{ find: /(?<!aria-)label=\{t\('removeName', \{ name \}\)\}/, replace: 'label={name.slice(0, 0)}' }],
    tests: ['portal/test/senders.test'],
  },
  {
    name: 'a colour of the dark theme is too faint',
    kind: 'portal contrast',
    edits: [{ find: '--text-faint: #97a7a8;', replace: '--text-faint: #5d6b6c;' }],
    tests: ['portal/test/usage.test'],
  },
  {
    name: 'one screen has a colour of its own that only the light theme bears',
    kind: 'portal contrast',
    edits: [{ find: /(\.figure small \{\s+color: )var\(--text-faint\)/, replace: '$1#5d6b6e', within: '/usage/' }],
    tests: ['portal/test/screens.test', 'portal/test/usage.test'],
  },
  {
    name: 'links in a text are known by their colour only',
    kind: 'portal contrast',
    edits: [
      {
        find: 'color: var(--accent-ink);\n  text-underline-offset: 2px;',
        replace: 'color: inherit;\n  text-decoration: none;',
        within: '/ui/base.css',
      },
    ],
    tests: ['portal/test/dashboard.test', 'portal/test/screens.test'],
  },
  {
    name: 'a field of one screen is wider than a telephone',
    kind: 'portal 390 px',
    edits: [{ find: /(\.line > :first-child \{\s+)(flex: 1 1 240px;)/, replace: '$1min-width: 420px;\n  $2' }],
    tests: ['portal/test/screens.test'],
  },
  {
    name: 'the next page of a list is the first one again',
    kind: 'portal lists',
    edits: [
      {
        find: 'fetchPage(pageParam, signal)',
        replace: 'fetchPage(pageParam === undefined ? pageParam : undefined, signal)',
      },
    ],
    tests: ['portal/test/messages.test', 'portal/test/logs.test'],
  },
  {
    name: 'a list ends with its first page',
    kind: 'portal lists',
    edits: [
      { find: 'getNextPageParam: page => page.nextCursor ?? undefined', replace: 'getNextPageParam: () => undefined' },
    ],
    tests: ['portal/test/leads.test'],
  },
  {
    name: 'a role is offered what it may not do',
    kind: 'portal roles',
    edits: [
      {
        find: "actions: { px: 110, needs: 'messages:erase'",
        replace: "actions: { px: 110, needs: 'messages:read'",
      },
    ],
    tests: ['portal/test/senders.test'],
  },
  {
    name: 'the form of a role offers what goes only with seeing all records',
    kind: 'portal roles',
    edits: [
      {
        find: 'if (entry.needsAllRows && seesPartly(rows))',
        replace: 'if (entry.needsAllRows && seesPartly({}))',
      },
    ],
    tests: ['portal/src/roles/rules.test', 'portal/test/roles.test'],
  },
  {
    name: 'a role that holds more than one does oneself can be chosen',
    kind: 'portal roles',
    edits: [{ find: 'disabled: !isHeld && of !== nowValue', replace: 'disabled: false' }],
    tests: ['portal/test/roles.test'],
  },
  {
    name: 'an invitation without a token is asked for',
    kind: 'portal members',
    edits: [
      {
        find: "{token === '' ? (\n        <Box head={<h1>{t('title')",
        replace: "{token === 'none' ? (\n        <Box head={<h1>{t('title')",
      },
    ],
    tests: ['portal/test/invite.test'],
  },
  {
    name: 'an Admin is offered to remove who may still take the ownership back',
    kind: 'portal members',
    edits: [
      { find: "transfer?.state === 'accepted' && transfer.fromUserId === userId", replace: 'transfer === undefined' },
    ],
    tests: ['portal/test/members.test'],
  },
  {
    name: 'the test of an identity provider comes back to a list that does not say how it went',
    kind: 'portal single sign-on',
    edits: [{ find: '({ connectionId }) => connectionId === tested', replace: '() => tested === null' }],
    tests: ['portal/test/single_sign_on.test'],
  },
  {
    name: 'an operator who may only look is offered to act',
    kind: 'portal operators',
    edits: [{ find: "const acts = query.data?.level === 'full'", replace: 'const acts = query.data !== undefined' }],
    tests: ['portal/test/operator.test'],
  },
]
