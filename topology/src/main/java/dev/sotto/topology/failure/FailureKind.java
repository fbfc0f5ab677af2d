package dev.sotto.topology.failure;

/** What can go wrong. The command line ends with an exit code for each kind. */
public enum FailureKind {
  /** An error that nobody foresaw. */
  UNEXPECTED,
  /** The request cannot be carried out as it was given. */
  USAGE,
  /** The configuration is wrong. */
  CONFIGURATION,
  /** No broker answers. */
  UNREACHABLE,
  /** The cluster does not allow what is needed. */
  FORBIDDEN,
  /** A topic is missing, or is not as it must be. */
  TOPIC,
  /** Learning on would break the guarantee. */
  REFUSED,
  /** The state folder cannot be written. */
  STATE_FOLDER,
  /** A fault that trying again may cure, or one that kept coming back. */
  FAULTS,
  /** Published data cannot be read or verified. */
  UNVERIFIED,
  /** An address cannot be listened on. */
  LISTEN,
  /** Another process uses what is needed, or has taken over. */
  IN_USE,
  /** A recording cannot be read or written. */
  RECORDING
}
