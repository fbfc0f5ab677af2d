package dev.sotto.topology;

/** How a command ends; the numbers are documented in docs/exit-codes.md and never change their meaning. */
public enum ExitCode {
  /** All went well. */
  OK(0),
  /** Something that nobody foresaw; the log has the details. */
  UNEXPECTED(1),
  /** The command line was wrong. */
  USAGE(2),
  /** The configuration was wrong; every fault has been named. */
  CONFIGURATION(3),
  /** No broker answered. */
  UNREACHABLE(4),
  /** The cluster does not allow what is needed. */
  FORBIDDEN(5),
  /** A topic is missing, or is not as it must be. */
  TOPIC(6),
  /** Learning on would break the guarantee. */
  REFUSED(7),
  /** The state folder cannot be written. */
  STATE_FOLDER(8),
  /** Faults kept coming back, although threads were replaced. */
  FAULTS(9),
  /** Published data could not be read or verified. */
  UNVERIFIED(10),
  /** An audit found that something does not hold. */
  REFUTED(11),
  /** The address for health and metrics cannot be listened on. */
  LISTEN(12),
  /** A preflight found a fault. */
  UNFIT(13),
  /** Instances are running that must be stopped first, or another has taken over. */
  IN_USE(14),
  /** A recording could not be read (truncated, damaged, changed, of another schema, or empty) or written. */
  RECORDING(15),
  /** A replay gave other bits than those that were published, or not all of them. */
  DIFFERENT(16);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** The number that the process ends with. */
  public int code() {
    return code;
  }
}
