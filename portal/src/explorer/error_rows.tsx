// What an endpoint may refuse with, and what to do then. Every row has an address: #error-recipient_opted_out.
import type { Problem } from '@tandem/catalog'
import { reasonPhrase } from '@tandem/catalog'
import { useProblemWords } from '../problems/said.ts'
import { isCommonProblem } from '../session/catalog.ts'
import { HttpStatus, TextLink } from '../ui/index.ts'
import { AnchorMark } from './anchor.tsx'
import styles from './endpoint.module.css'
import { inlineText } from './prose.tsx'
import { t } from './texts.ts'

export function ErrorRows({ problems, hash }: { problems: readonly Problem[]; hash: string }) {
  const sorted = [...problems].sort((a, b) => a.status - b.status)
  const own = sorted.filter(({ code }) => !isCommonProblem(code))
  const common = sorted.filter(({ code }) => isCommonProblem(code))
  return (
    <table className={styles['errors']}>
      <caption className="visually-hidden">{t('errorsOf')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('code')}</th>
          <th scope="col">{t('http')}</th>
          <th scope="col">{t('when')}</th>
          <th scope="col">{t('fix')}</th>
          <th scope="col">{t('retryHelps')}</th>
        </tr>
      </thead>
      <Group title={t('errorsOwn')} problems={own} hash={hash} />
      <Group title={t('errorsCommon')} problems={common} hash={hash} />
    </table>
  )
}

function Group({ title, problems, hash }: { title: string; problems: readonly Problem[]; hash: string }) {
  if (problems.length === 0) return null
  return (
    <tbody>
      <tr>
        <th scope="rowgroup" colSpan={5}>
          {title}
        </th>
      </tr>
      {problems.map(problem => (
        <ErrorRow key={problem.code} problem={problem} hash={hash} />
      ))}
    </tbody>
  )
}

function ErrorRow({ problem, hash }: { problem: Problem; hash: string }) {
  const { code, status, cause, fix, retriable } = useProblemWords()(problem)
  const id = `error-${code}`
  return (
    <tr id={id} data-target={id === hash || undefined}>
      <td>
        <TextLink to="/errors/$code" params={{ code }}>
          <code>{breakable(code)}</code>
        </TextLink>
        <AnchorMark id={id} name={code} />
      </td>
      <td title={reasonPhrase(status)}>
        <HttpStatus status={status} />
      </td>
      <td>{inlineText(cause)}</td>
      <td>{inlineText(fix)}</td>
      <td>{t(retriable ? 'yes' : 'no')}</td>
    </tr>
  )
}

/** Codes may be broken behind their underscores, where a column is narrow. */
function breakable(code: string) {
  return code.split(/(?<=_)/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of one code, in its order
    <span key={index}>
      {index > 0 && <wbr />}
      {part}
    </span>
  ))
}
