// Ordinary messages, as trunks and telephones send them, for tests that need some.

/** Lines with CR LF, and the right Content-Length. */
export function messageOf(head: readonly string[], body: readonly string[] = []): string {
  const text = body.map(line => `${line}\r\n`).join('')
  return [...head, `Content-Length: ${Buffer.byteLength(text)}`, '', text].join('\r\n')
}

export const inviteWithSdp = messageOf(
  [
    'INVITE sip:+4930123456@sip.carrier.example:5060 SIP/2.0',
    'Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK776asdhds;rport',
    'Max-Forwards: 70',
    'From: "Alice" <sip:+4940111222@tandem.example>;tag=1928301774',
    'To: <sip:+4930123456@sip.carrier.example>',
    'Call-ID: a84b4c76e66710@192.0.2.10',
    'CSeq: 314159 INVITE',
    'Contact: <sip:+4940111222@192.0.2.10:5060;transport=udp>',
    'Allow: INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, PRACK, UPDATE',
    'Supported: timer, 100rel, replaces',
    'Session-Expires: 1800;refresher=uac',
    'User-Agent: Tandem',
    'Content-Type: application/sdp',
  ],
  [
    'v=0',
    'o=- 3880000000 3880000000 IN IP4 192.0.2.10',
    's=-',
    'c=IN IP4 192.0.2.10',
    't=0 0',
    'm=audio 40000 RTP/AVP 0 8 101',
    'a=rtpmap:0 PCMU/8000',
    'a=rtpmap:8 PCMA/8000',
    'a=rtpmap:101 telephone-event/8000',
    'a=fmtp:101 0-16',
    'a=ptime:20',
    'a=sendrecv',
  ],
)

export const digestRequest = messageOf([
  'REGISTER sip:example.com SIP/2.0',
  'Via: SIP/2.0/TLS [2001:db8::9:1]:5061;branch=z9hG4bKas3-111;received=2001:db8::9:255',
  'Max-Forwards: 70',
  'From: <sip:user@example.com>;tag=81x2',
  'To: <sip:user@example.com>',
  'Call-ID: SSG9559905523997077@hlau_4100',
  'CSeq: 2 REGISTER',
  'Contact: "Caller" <sip:caller@[2001:db8::1]:5061;transport=tls>;expires=3600;+sip.instance="<urn:uuid:00000000-0000-1000-8000-000A95A0E128>"',
  'Authorization: Digest username="user", realm="example.com", nonce="84a4cc6f3082121f32b42a2187831a9e", uri="sip:example.com", response="7587245234b3434cc3412213e5f113a5432", algorithm=MD5, qop=auth, nc=00000001, cnonce="0a4f113b", opaque="5ccc069c"',
  'Expires: 3600',
])

export const unauthorized = messageOf([
  'SIP/2.0 401 Unauthorized',
  'Via: SIP/2.0/UDP 192.0.2.10:5060;branch=z9hG4bK776asdhds;rport=5060;received=192.0.2.10',
  'From: <sip:user@example.com>;tag=81x2',
  'To: <sip:user@example.com>;tag=b',
  'Call-ID: x@y',
  'CSeq: 1 REGISTER',
  'WWW-Authenticate: Digest realm="example.com", nonce="abc", algorithm=SHA-256, qop="auth,auth-int", stale=FALSE',
  'WWW-Authenticate: Digest realm="example.com", nonce="abc", algorithm=MD5, qop="auth"',
  'Retry-After: 18000;duration=3600',
])

export const manyHeaders = messageOf([
  'NOTIFY sip:a@192.0.2.1 SIP/2.0',
  'Via: SIP/2.0/TCP 192.0.2.5;branch=z9hG4bKnashds7, SIP/2.0/UDP b.example',
  'Record-Route: <sip:p1.example.com;lr>, <sip:p2.example.com;lr=on>',
  'Route: <sip:p3.example.com;lr>',
  'From: sip:b@example.com;tag=1',
  'To: "A. \\"Q\\" Bäcker" <sip:a@example.com>;tag=2',
  'Call-ID: 9987@app.dragons.example.net',
  'CSeq: 1722 NOTIFY',
  'Event: refer;id=7',
  'Subscription-State: terminated;reason=noresource',
  'Refer-To: <sip:d@e?Replaces=1%40b%3Bto-tag%3D3%3Bfrom-tag%3D4>',
  'Referred-By: <sip:r@example.com>',
  'Replaces: 1@b;to-tag=3;from-tag=4',
  'Reason: Q.850;cause=17, SIP;cause=486;text="Busy"',
  'P-Asserted-Identity: "C" <sip:+4930@x>, <tel:+4930>',
  'Diversion: <sip:+49@x>;reason=unconditional;counter=1',
  'RSeq: 1',
  'RAck: 1 1 INVITE',
  'Min-SE: 90',
  'Warning: 399 x "text"',
  'Date: Sat, 13 Nov 2010 23:29:00 GMT',
  'Contact: *',
])

export const secureOffer = messageOf(
  [
    'INVITE sips:bob@example.com SIP/2.0',
    'Via: SIP/2.0/TLS client.example;branch=z9hG4bK1',
    'From: <sips:a@example.com>;tag=1',
    'To: <sips:bob@example.com>',
    'Call-ID: s1',
    'CSeq: 1 INVITE',
    'Content-Type: application/sdp',
  ],
  [
    'v=0',
    'o=jdoe 2890844526 2890842807 IN IP6 2001:db8::4',
    's=SDP Seminar',
    'i=A Seminar on the session description protocol',
    'u=http://www.example.com/seminars/sdp.pdf',
    'e=j.doe@example.com (Jane Doe)',
    'p=+1 617 555-6011',
    'c=IN IP6 2001:db8::4',
    'b=AS:80',
    't=2873397496 2873404696',
    'a=recvonly',
    'm=audio 49170/2 RTP/SAVP 0 96',
    'i=sound',
    'b=TIAS:64000',
    'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20|1:4',
    'a=crypto:2 AES_CM_128_HMAC_SHA1_80 inline:WVNfX19zZW1jdGwgKCkgewkyMjA7fQp9CnVubGVz|2^20',
    'a=rtpmap:96 telephone-event/8000',
    'a=fmtp:96 0-15',
    'a=rtcp:53020 IN IP6 2001:db8::5',
    'a=rtcp-mux',
    'a=sendonly',
    'm=video 51372 RTP/AVP 99',
    'c=IN IP4 224.2.1.1/127/3',
    'a=rtpmap:99 h263-1998/90000',
  ],
)
