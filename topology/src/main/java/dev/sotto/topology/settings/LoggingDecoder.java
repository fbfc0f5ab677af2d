package dev.sotto.topology.settings;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A decoder that logs inside why records are set aside: each field that was not as it must be, and
 * each other reason, once. Where none of the first records can be used, all for one reason, it says
 * so: then the configuration is wrong, and not the records.
 */
final class LoggingDecoder extends ForwardingDecoder {
  private static final int MOST = 50;

  /** Records from the first on that show whether the configuration fits. */
  static final int SHOWN = 100;

  /** Of events whose labels come later: no fault of anybody's. */
  private static final Set<RecordStatus> USUAL =
      EnumSet.of(RecordStatus.USED, RecordStatus.NO_LABEL, RecordStatus.NOT_JOINED);

  /** What records hold is logged here. */
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.fields");

  private final Set<String> fields = new HashSet<>();
  private final Set<RecordStatus> reasons = EnumSet.noneOf(RecordStatus.class);
  private String only; // what was wrong with all records so far
  private int alike; // their number; -1 once one was usable, or wrong otherwise

  LoggingDecoder(EventDecoder own) {
    super(own);
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus status = super.decode(key, value, into);
    if (!USUAL.contains(status)) {
      unlogged(value, status)
          .ifPresent(fault -> INSIDE.warn(
              "a record goes to the dead letters as {}: {}; so do others like it", status, fault));
    }
    if (alike >= 0) {
      compare(value, status);
    }
    return status;
  }

  /** Whether all records so far are set aside for one reason; said once, of the first of them. */
  private void compare(byte[] value, RecordStatus status) {
    if (status == RecordStatus.NO_LABEL || status == RecordStatus.NOT_JOINED) {
      return;
    }
    String fault = status == RecordStatus.USED
        ? null
        : fault(status).or(() -> fault(value, status)).orElse(status.sentence());
    if (fault == null || only != null && !only.equals(fault)) {
      alike = -1;
      return;
    }
    only = fault;
    if (++alike == SHOWN) {
      alike = -1;
      INSIDE.warn(
          "NONE of the first {} records can be used, all as {}: {}. Nothing is learned, and their"
              + " slots are spent: stop the learner, correct label.field, features.* or"
              + " events.format, and check with: sotto preflight -c FILE. Another configuration"
              + " takes another app.id",
          SHOWN,
          status,
          fault);
    }
  }

  /** What is wrong with a record; empty where others like it came before. */
  private Optional<String> unlogged(byte[] value, RecordStatus status) {
    Optional<String> field = fields.size() < MOST ? fault(status) : Optional.empty();
    if (field.isPresent()) {
      return field.filter(fields::add);
    }
    return fields.size() < MOST && reasons.add(status)
        ? Optional.of(fault(value, status).orElse(status.sentence()))
        : Optional.empty();
  }
}
