// What companies hold beside the form of their values.
import { invalid } from '../../../kernel/values/problem.ts'

/** @throws Problem `validation_failed` for a company that would belong to itself */
export function changeCompany<Patch extends { parent_id?: string | null }>(company: { id: string }, patch: Patch) {
  if (patch.parent_id !== company.id) return { set: patch }
  throw invalid({ field: 'parent_id', code: 'not_allowed', message: 'must be another company' })
}
