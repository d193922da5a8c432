// Where a request goes: another folder, another collection.
import type { Collection, SavedRequest } from '@tandem/sdk'
import { useState } from 'react'
import { Button, Dialog, SelectField } from '../../ui/index.ts'
import { putRequest } from '../collections/actions.ts'
import { t } from './texts.ts'

export type PlaceFieldsProps = {
  collections: readonly Collection[]
  collectionId: string
  folderId: string | null
  onChange(place: { collectionId: string; folderId: string | null }): void
  /** A choice before the collections, such as a new one. */
  first?: { value: string; label: string }
}

/** A collection, and one of its folders. */
export function PlaceFields({ collections, collectionId, folderId, onChange, first }: PlaceFieldsProps) {
  const folders = collections.find(each => each.collectionId === collectionId)?.folders ?? []
  const options = collections.map(each => ({
    value: each.collectionId,
    label: each.shared ? each.name : t('privateNamed', { name: each.name }),
  }))
  return (
    <>
      <SelectField
        label={t('collection')}
        value={collectionId}
        options={[...options, ...(first === undefined ? [] : [first])]}
        onChange={event => onChange({ collectionId: event.target.value, folderId: null })}
      />
      {folders.length > 0 && (
        <SelectField
          label={t('folder')}
          value={folderId ?? ''}
          options={[
            { value: '', label: t('noFolder') },
            ...folders.map(folder => ({ value: folder.folderId, label: folder.name })),
          ]}
          onChange={event =>
            onChange({ collectionId, folderId: event.target.value === '' ? null : event.target.value })
          }
        />
      )}
    </>
  )
}

export type MoveDialogProps = {
  request: SavedRequest
  collections: readonly Collection[]
  act(work: () => Promise<unknown>, done?: string): Promise<void>
  onMoved(request: SavedRequest): void
  onClose(): void
}

export function MoveDialog({ request, collections, act, onMoved, onClose }: MoveDialogProps) {
  const [place, setPlace] = useState({ collectionId: request.collectionId, folderId: request.folderId })
  const isSame = place.collectionId === request.collectionId && place.folderId === request.folderId
  return (
    <Dialog
      open
      onOpenChange={next => !next && onClose()}
      title={t('moveNamed', { name: request.name })}
      footer={
        <>
          <Button onClick={onClose}>{t('cancel')}</Button>
          <Button
            variant="primary"
            disabled={isSame}
            onClick={() => {
              onClose()
              void act(async () => onMoved(await putRequest(request, place)), t('moved', { name: request.name }))
            }}
          >
            {t('move')}
          </Button>
        </>
      }
    >
      <PlaceFields collections={collections} {...place} onChange={setPlace} />
    </Dialog>
  )
}
