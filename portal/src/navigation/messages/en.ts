// The English texts that stand where no screen does.
export const en = {
  loading: 'Loading',
  home: 'Go to home',
  notFound: 'Page not found',
  noPage: 'There’s nothing at this address',
  noPageText: 'Check the address for typos. What was here may also have been deleted.',
  refused: 'You don’t have access to {title}',
  refusedText: 'Your role doesn’t include this area. Ask an admin of your organization if you need it.',
  pageFailed: 'This page could not be loaded',
  away: 'We can’t reach the server',
  awayText: 'It may be restarting. This page opens by itself as soon as the server answers.',
  filesMissing: 'Part of this page is missing',
  filesMissingText: 'We keep trying in the background. You can also reload the whole page.',
  reloadEnds: 'Reloading ends {loss}.',
  retry: 'Try again',
  reload: 'Reload the page',
  partFailed: 'Part of this page could not be loaded.',
} as const
