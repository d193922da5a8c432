// What a receiver needs to know that a delivery is from Tandem and fresh, to be pasted: Standard Webhooks, without a library.

const languages = { javascript: 'Node', python: 'Python', go: 'Go' } as const
export type SnippetLanguage = keyof typeof languages
export const snippetLanguages = (['javascript', 'python', 'go'] as const).map(value => ({
  value,
  label: languages[value],
}))

/** Each reads the secret from TANDEM_WEBHOOK_SECRET and takes the body exactly as it came. */
export const snippets: Record<SnippetLanguage, string> = {
  javascript: `import { createHmac, timingSafeEqual } from 'node:crypto'

// The event of a delivery; throws when it is not from Tandem.
// body: the text as it came, not parsed and written again.
export function verify(headers, body, secret = process.env.TANDEM_WEBHOOK_SECRET) {
  const id = headers['webhook-id']
  const at = headers['webhook-timestamp']
  if (!(Math.abs(Date.now() / 1000 - Number(at)) <= 300)) throw new Error('webhook: too old')
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const mac = createHmac('sha256', key).update(\`\${id}.\${at}.\${body}\`).digest('base64')
  const wanted = Buffer.from(\`v1,\${mac}\`)
  // While a secret is rotated there are two signatures, separated by a space.
  const signatures = (headers['webhook-signature'] ?? '').split(' ').map(text => Buffer.from(text))
  const fits = signatures.some(sent => sent.length === wanted.length && timingSafeEqual(sent, wanted))
  if (!fits) throw new Error('webhook: signature does not fit')
  return JSON.parse(body)
}
`,
  python: `import base64, hmac, json, os, time

def verify(headers, body: bytes):
    """The event of a delivery; raises when it is not from Tandem. body: the bytes as they came."""
    event_id, at = headers["webhook-id"], headers["webhook-timestamp"]
    if abs(time.time() - int(at)) > 300:
        raise ValueError("webhook: too old")
    key = base64.b64decode(os.environ["TANDEM_WEBHOOK_SECRET"].removeprefix("whsec_"))
    mac = hmac.digest(key, f"{event_id}.{at}.".encode() + body, "sha256")
    wanted = b"v1," + base64.b64encode(mac)
    # While a secret is rotated there are two signatures, separated by a space.
    signatures = headers["webhook-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(sent, wanted) for sent in signatures):
        raise ValueError("webhook: signature does not fit")
    return json.loads(body)
`,
  go: `package hooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"
)

// Verify returns nil when a delivery is from Tandem. body: the bytes as they came.
func Verify(header http.Header, body []byte) error {
	id, at := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseInt(at, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("webhook: too old")
	}
	secret := strings.TrimPrefix(os.Getenv("TANDEM_WEBHOOK_SECRET"), "whsec_")
	key, err := base64.StdEncoding.DecodeString(secret)
	if err != nil || len(key) == 0 {
		return errors.New("webhook: TANDEM_WEBHOOK_SECRET is not set")
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, at, body)
	wanted := "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	// While a secret is rotated there are two signatures, separated by a space.
	for _, sent := range strings.Fields(header.Get("webhook-signature")) {
		if hmac.Equal([]byte(sent), []byte(wanted)) {
			return nil
		}
	}
	return errors.New("webhook: signature does not fit")
}
`,
}
