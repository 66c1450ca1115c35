import type { Whole } from '../models/credentials.ts';

/** A webhook as the table stores it. */
export interface Webhook {
  id: number;
  name: string;
  payloadUrl: string;
  httpMethod: string;
  httpContentType: string;
  additionalHeaders: string;
  bodyTemplate: string;
  secret: string;
  sslVerification: boolean;
  caFilePath: string | null;
  /** Values for its templates, by name. */
  secrets?: Readonly<Record<string, string>>;
  /** The unmasked versions of those texts above in which masks stand for credentials. */
  credentials?: Whole;
  /** The reason why its secrets cannot be read, if they cannot. */
  unreadable?: string;
}
