// Saves the request on the screen: under a name, to a collection and folder, or to a new collection.
import type { Collection } from '@tandem/sdk'
import { useEffect, useState } from 'react'
import { faultsOf } from '../../forms/faults.ts'
import { apiOf } from '../../session/api.ts'
import { Button, CheckboxField, Dialog, TextField } from '../../ui/index.ts'
import { MAX_NAME } from '../collections/content.ts'
import { refreshCollections, useCollections, useRights } from '../collections/queries.ts'
import type { Saved } from '../state/use_saved.ts'
import styles from './drawers.module.css'
import { PlaceFields } from './move_dialog.tsx'
import { t } from './texts.ts'

export type SaveDialogProps = { open: boolean; onOpenChange(open: boolean): void; saved: Saved; suggestedName: string }

const NEW = 'new'

/** What is written in the dialog, and its saving. */
function useSaving({ open, onOpenChange, saved, suggestedName }: SaveDialogProps) {
  const { shares } = useRights()
  const { data } = useCollections(open)
  const writable = (data ?? []).filter(each => each.mayChange)
  const [name, setName] = useState(suggestedName)
  const [place, setPlace] = useState<{ collectionId: string; folderId: string | null }>()
  const [newName, setNewName] = useState('')
  const [shared, setShared] = useState(shares)
  const [error, setError] = useState<unknown>()
  const [busy, setBusy] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: begins again whenever it is opened
  useEffect(() => {
    if (!open) return
    setName(saved.open === undefined ? suggestedName : t('copyOf', { name: saved.open.saved.name.slice(0, 112) }))
    setError(undefined)
  }, [open])
  const last = saved.open?.saved
  const first = writable.find(each => each.collectionId === last?.collectionId) ?? writable[0]
  const { collectionId, folderId } = place ?? {
    collectionId: first?.collectionId ?? NEW,
    folderId: first?.collectionId === last?.collectionId ? (last?.folderId ?? null) : null,
  }
  const isNew = collectionId === NEW
  const isReady = data !== undefined && name.trim() !== '' && (!isNew || newName.trim() !== '')
  const faults = faultsOf(error, ['name'])

  const submit = async () => {
    if (!isReady || busy) return
    setBusy(true)
    setError(undefined)
    try {
      const collection: Collection | undefined = isNew
        ? await apiOf('live').collections.create({ name: newName.trim(), shared })
        : writable.find(each => each.collectionId === collectionId)
      if (collection === undefined) return
      if (isNew) {
        await refreshCollections()
        setPlace({ collectionId: collection.collectionId, folderId: null })
      }
      await saved.saveAs({ name, collection, folderId })
      onOpenChange(false)
    } catch (reason) {
      setError(reason)
    } finally {
      setBusy(false)
    }
  }
  return {
    ...{ name, setName, collectionId, folderId, setPlace, newName, setNewName, shared, setShared },
    ...{ writable, shares, isNew, isReady, faults, busy, submit },
  }
}

export function SaveDialog(props: SaveDialogProps) {
  const { open, onOpenChange } = props
  const { name, setName, collectionId, folderId, setPlace, newName, setNewName, ...more } = useSaving(props)
  const { shared, setShared, writable, shares, isNew, isReady, faults, busy, submit } = more
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={t('saveTitle')}
      description={t('saveText')}
      footer={
        <>
          <Button onClick={() => onOpenChange(false)}>{t('cancel')}</Button>
          <Button variant="primary" busy={busy} disabled={!isReady} onClick={() => void submit()}>
            {t('save')}
          </Button>
        </>
      }
    >
      <form
        className={styles['environment']}
        onSubmit={event => {
          event.preventDefault()
          void submit()
        }}
      >
        <TextField
          label={t('requestName')}
          value={name}
          maxLength={MAX_NAME}
          error={faults.fields['name']}
          onChange={event => setName(event.target.value)}
        />
        <PlaceFields
          collections={writable}
          {...{ collectionId, folderId }}
          first={{ value: NEW, label: t('newCollectionChoice') }}
          onChange={setPlace}
        />
        {isNew && (
          <NewCollection name={newName} onName={setNewName} shared={shared} onShared={setShared} shares={shares} />
        )}
        {faults.general !== undefined && (
          <p className={styles['fault']} role="alert">
            {faults.general}
          </p>
        )}
        <button type="submit" hidden>
          {t('save')}
        </button>
      </form>
    </Dialog>
  )
}

type NewCollectionProps = {
  name: string
  onName(name: string): void
  shared: boolean
  onShared(shared: boolean): void
  shares: boolean
}

function NewCollection({ name, onName, shared, onShared, shares }: NewCollectionProps) {
  return (
    <>
      <TextField
        label={t('collectionName')}
        value={name}
        maxLength={100}
        onChange={event => onName(event.target.value)}
      />
      <CheckboxField
        label={t('shareWithAll')}
        hint={shares ? undefined : t('privateOnly')}
        checked={shared}
        disabled={!shares}
        onChange={event => onShared(event.target.checked)}
      />
    </>
  )
}
