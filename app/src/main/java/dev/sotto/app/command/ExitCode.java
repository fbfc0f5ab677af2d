package dev.sotto.app.command;

import dev.sotto.learner.extension.ExtensionException;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;

/** What the process ends with: docs/exit-codes.md. A number never changes its meaning. */
public enum ExitCode {
  /** All went well. */
  OK(0),
  /** An error that nobody foresaw. */
  UNEXPECTED(1),
  /** The command line was wrong. */
  USAGE(2),
  /** The configuration was wrong. */
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
  /** Another process uses what the command needs. */
  IN_USE(14),
  /** A recording could not be read or written. */
  RECORDING(15),
  /** A replay gave other bits than those that were published, or not all of them. */
  DIFFERENT(16),
  /** There were too few events to learn a version from. */
  NOTHING_LEARNED(17),
  /** What was asked about is not there. */
  NOT_THERE(18);

  private final int code;

  ExitCode(int code) {
    this.code = code;
  }

  /** The number that the process ends with. */
  public int code() {
    return code;
  }

  /** The code of an exception: that of its kind; UNEXPECTED where nobody foresaw it. */
  public static ExitCode of(Throwable thrown) {
    if (thrown instanceof SottoException known) {
      return of(known.kind());
    }
    if (thrown instanceof UnreadableRecordException) {
      return UNVERIFIED; // in a topic of a learner, into which something else has written
    }
    return thrown instanceof ExtensionException ? CONFIGURATION : UNEXPECTED;
  }

  /** The code of a kind of failure. */
  public static ExitCode of(FailureKind kind) {
    return switch (kind) {
      case UNEXPECTED -> UNEXPECTED;
      case USAGE -> USAGE;
      case CONFIGURATION -> CONFIGURATION;
      case UNREACHABLE -> UNREACHABLE;
      case FORBIDDEN -> FORBIDDEN;
      case TOPIC -> TOPIC;
      case REFUSED -> REFUSED;
      case STATE_FOLDER -> STATE_FOLDER;
      case FAULTS -> FAULTS;
      case UNVERIFIED -> UNVERIFIED;
      case LISTEN -> LISTEN;
      case IN_USE -> IN_USE;
      case RECORDING -> RECORDING;
    };
  }
}
