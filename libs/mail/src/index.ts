export {
	type DeliveryReport,
	DeliveryReportError,
	parseDeliveryReport,
	type ReportedRecipient,
} from './delivery-report.ts';
export {
	fittedContent,
	type MailContent,
	mailContent,
	shortened,
	withSubjects,
} from './mail-content.ts';
export { dayRangeText, dayText, instantText } from './mail-dates.ts';
export {
	defineMail,
	exampleOf,
	type Language,
	languageOf,
	type MailDeclaration,
} from './mail-declaration.ts';
export {
	type MailRecipient,
	type MailRequest,
	mailAboutMax,
	mailReceipt,
	mailRecipientsMax,
	mailRequest,
	mailRequestsPath,
	mailsScope,
} from './mail-request.ts';
export { type Mailer, MailRefusedError, openMailer } from './mailer.ts';
export { createMessageIds, digitsOf, type MessageIds } from './message-ids.ts';
export { renderMail } from './render-mail.ts';
