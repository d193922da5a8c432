// One company, with the people and enquiries that belong to it.
import { useParams } from '@tanstack/react-router'
import { CustomerInvoices } from '../invoices/later.ts'
import { BillButton } from '../nouns/attached/bill_button.tsx'
import { PersonWork } from '../nouns/attached/person_work.tsx'
import { ReachButtons } from '../nouns/attached/reach_buttons.tsx'
import { NounPage } from '../nouns/record_page.tsx'
import { companies, industryText } from './company_noun.ts'

const listed = (value: unknown): string[] => (value == null ? [] : [String(value)])

export function CompanyPage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  return (
    <NounPage
      noun={companies}
      id={id}
      mark="company"
      about={({ industry, domain }) =>
        [industry != null && industryText(String(industry)), domain].map(
          text => typeof text === 'string' && <bdi key={text}>{text}</bdi>,
        )
      }
      actions={company => (
        <>
          <BillButton recordId={String(company.id)} />
          <ReachButtons
            recordId={String(company.id)}
            name={String(company['name'])}
            phone={listed(company['phone'])[0]}
          />
        </>
      )}
      main={(company, mayWrite) => (
        <PersonWork
          noun={companies}
          id={String(company.id)}
          name={String(company['name'])}
          phones={listed(company['phone'])}
          emails={[]}
          mayWrite={mayWrite}
        />
      )}
    >
      {company => <CustomerInvoices name={String(company['name'])} />}
    </NounPage>
  )
}
