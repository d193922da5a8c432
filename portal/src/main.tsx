// Starts the portal: theme and language first, then the session's refresh, on its way while React mounts.
import './ui/tokens.css'
import './ui/base.css'
import { createRoot } from 'react-dom/client'
import { App } from './app/app.tsx'
import { untilStyled } from './app/style_sheets.ts'
import { allowOwnWorkers } from './app/trusted_types.ts'
import { adoptNonce } from './session/nonce.ts'
import { resume } from './session/session.ts'
import { applyTheme } from './session/theme.ts'
import { startWords, untilWordsReady } from './words/language.ts'

startWords()
allowOwnWorkers()
applyTheme()
adoptNonce()
void resume()
const root = document.getElementById('root')
if (root === null) throw new Error('the page has no #root')
const shown = createRoot(root)
/** While neither looks nor words are there, in all languages at once. */
const showLoading = () => shown.render(<p role="status">Loading Tandem … · Tandem wird geladen …</p>)
void untilWordsReady(showLoading)
  .then(() => untilStyled(showLoading))
  .then(() => shown.render(<App />))
