import { PageHeader } from '../ui/index.ts'

export function NumbersScreen() {
  return <PageHeader title="Numbers" />
}
