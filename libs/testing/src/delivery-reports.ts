/** The mail that a server returns: its headers as sent. */
interface ReturnedMail {
	readonly headers: string;
	readonly to: string;
}

interface Failure {
	/** `failed` by default. */
	readonly action?: string;
	/** `5.1.1` by default. */
	readonly status?: string;
	/** `550 5.1.1 …: user unknown` by default. */
	readonly diagnostic?: string;
	/** The failed address, if it is not that of the mail. */
	readonly final?: string;
}

type WrittenReport = (mail: ReturnedMail, failure?: Failure) => string;

const crlf = (text: string) => text.replaceAll(/\r?\n/g, '\r\n');

/** Reports as mail servers write them: layout, folding, quotes and order of their fields. */
export const deliveryReports: Readonly<Record<'Postfix' | 'Exim' | 'Exchange', WrittenReport>> = {
	Postfix: ({ headers, to }, { action = 'failed', status = '5.1.1', diagnostic, final = to } = {}) => `\
Return-Path: <>
X-Original-To: bounces@paddock.example
Received: by relay.paddock.example (Postfix)
	id 4ZQ1mB2K7hz9sRf; Fri, 27 Nov 2026 09:14:02 +0100 (CET)
Date: Fri, 27 Nov 2026 09:14:02 +0100 (CET)
From: MAILER-DAEMON@relay.paddock.example (Mail Delivery System)
Subject: Undelivered Mail Returned to Sender
To: bounces@paddock.example
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status;
	boundary="4ZQ1m92sPXz9sRd.1795767242/relay.paddock.example"
Content-Transfer-Encoding: 8bit
Message-Id: <4ZQ1mB2K7hz9sRf@relay.paddock.example>

This is a MIME-encapsulated message.

--4ZQ1m92sPXz9sRd.1795767242/relay.paddock.example
Content-Description: Notification
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: 8bit

This is the mail system at host relay.paddock.example.

I'm sorry to have to inform you that your message could not
be delivered to one or more recipients. It's attached below.

                   The mail system

<${final}>: host mx.example.net[192.0.2.25] said: 550 5.1.1 <${final}>:
    Recipient address rejected: User unknown in virtual mailbox table (in reply
    to RCPT TO command)

--4ZQ1m92sPXz9sRd.1795767242/relay.paddock.example
Content-Description: Delivery report
Content-Type: message/delivery-status

Reporting-MTA: dns; relay.paddock.example
X-Postfix-Queue-ID: 4ZQ1m92sPXz9sRd
X-Postfix-Sender: rfc822; bounces@paddock.example
Arrival-Date: Fri, 27 Nov 2026 09:14:01 +0100 (CET)

Final-Recipient: rfc822; ${final}
Original-Recipient: rfc822;${to}
Action: ${action}
Status: ${status}
Remote-MTA: dns; mx.example.net
Diagnostic-Code: smtp; ${diagnostic ?? `550 5.1.1 <${final}>: Recipient address rejected:\n    User unknown in virtual mailbox table`}

--4ZQ1m92sPXz9sRd.1795767242/relay.paddock.example
Content-Description: Undelivered Message Headers
Content-Type: text/rfc822-headers
Content-Transfer-Encoding: 8bit

Return-Path: <bounces@paddock.example>
Received: from auth (auth [192.0.2.4])
	by relay.paddock.example (Postfix) with ESMTP id 4ZQ1m92sPXz9sRd
	for <${to}>; Fri, 27 Nov 2026 09:14:01 +0100 (CET)
${headers.replaceAll('\r\n', '\n')}

--4ZQ1m92sPXz9sRd.1795767242/relay.paddock.example--
`,
	Exim: ({ headers, to }, { action = 'failed', status = '5.0.0', diagnostic, final = to } = {}) =>
		crlf(`From MAILER-DAEMON Fri Nov 27 09:20:11 2026
Return-path: <>
Envelope-to: bounces@paddock.example
Received: from Debian-exim by mx.example.net with local (Exim 4.96)
	id 1vOqXz-0003kT-2B
	for bounces@paddock.example;
	Fri, 27 Nov 2026 09:20:11 +0100
X-Failed-Recipients: ${final}
Auto-Submitted: auto-replied
From: Mail Delivery System <Mailer-Daemon@mx.example.net>
To: bounces@paddock.example
References: <unused@paddock.example>
Content-Type: multipart/report; report-type=delivery-status; boundary=1795767611-eximdsn-1804289383
MIME-Version: 1.0
Subject: Mail delivery failed: returning message to sender
Message-Id: <E1vOqXz-0003kT-2B@mx.example.net>
Date: Fri, 27 Nov 2026 09:20:11 +0100

--1795767611-eximdsn-1804289383
Content-type: text/plain; charset=us-ascii

This message was created automatically by mail delivery software.

--1795767611-eximdsn-1804289383
Content-type: message/delivery-status

Reporting-MTA: dns; mx.example.net

Action: ${action}
Final-Recipient: rfc822;${final}
Status: ${status}
Remote-MTA: dns; mailstore.example.net
Diagnostic-Code: smtp; ${diagnostic ?? `550 Unrouteable address`}

--1795767611-eximdsn-1804289383
Content-type: message/rfc822

Return-path: <bounces@paddock.example>
Received: from relay.paddock.example ([192.0.2.4])
	by mx.example.net with esmtps (Exim 4.96)
	id 1vOqXy-0003kL-1w
	for ${to};
	Fri, 27 Nov 2026 09:20:10 +0100
${headers}

The text of the mail.

--1795767611-eximdsn-1804289383--
`),
	Exchange: ({ headers, to }, { action = 'failed', status = '5.1.10', diagnostic, final = to } = {}) =>
		crlf(`From: Microsoft Outlook
	<MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@example.net>
To: <bounces@paddock.example>
Date: Fri, 27 Nov 2026 08:25:40 +0000
Content-Type: multipart/report; report-type="delivery-status";
	boundary="2c6a8a4e-50ea-4f1c-9f4b-1f0d1b7f8b60"
X-MS-Exchange-Message-Is-Ndr:
Content-Language: de-AT
Message-ID: <7f0a1c55-8a0d-4b53-9f6a-0b7a6d5e8d11@exchange.example.net>
In-Reply-To: <unused@paddock.example>
Subject: =?utf-8?B?VW56dXN0ZWxsYmFyOiBOZW5udW5n?=
Auto-Submitted: auto-replied
MIME-Version: 1.0

--2c6a8a4e-50ea-4f1c-9f4b-1f0d1b7f8b60
Content-Type: multipart/alternative; differences=Content-Type;
	boundary="b1e8b7cc-2f0a-4e4c-8a44-7d6a2d6bc1d0"

--b1e8b7cc-2f0a-4e4c-8a44-7d6a2d6bc1d0
Content-Type: text/plain; charset="utf-8"
Content-Transfer-Encoding: base64

RGllIE5hY2hyaWNodCBrb25udGUgbmljaHQgenVnZXN0ZWxsdCB3ZXJkZW4u

--b1e8b7cc-2f0a-4e4c-8a44-7d6a2d6bc1d0--

--2c6a8a4e-50ea-4f1c-9f4b-1f0d1b7f8b60
Content-Type: message/delivery-status

Reporting-MTA: dns;exchange.example.net
Received-From-MTA: dns;relay.paddock.example
Arrival-Date: Fri, 27 Nov 2026 08:25:39 +0000

Final-Recipient: rfc822;${final}
Action: ${action}
Status: ${status}
Diagnostic-Code: smtp;${diagnostic ?? `550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient ${final} not found by SMTP address lookup`}

--2c6a8a4e-50ea-4f1c-9f4b-1f0d1b7f8b60
Content-Type: message/rfc822

Received: from relay.paddock.example (192.0.2.4) by exchange.example.net
 (203.0.113.7) with Microsoft SMTP Server id 15.2.1544.11; Fri, 27 Nov 2026
 08:25:39 +0000
${headers}

The text of the mail.

--2c6a8a4e-50ea-4f1c-9f4b-1f0d1b7f8b60--
`),
};
