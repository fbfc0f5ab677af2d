package dev.sotto.topology.settings;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A decoder that logs inside which fields of records were not as they must be, each once. */
final class LoggingDecoder extends ForwardingDecoder {
  private static final int MOST = 50;

  /** What records hold is logged here. */
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.fields");

  private final Set<String> logged = new HashSet<>();

  LoggingDecoder(EventDecoder own) {
    super(own);
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus status = super.decode(key, value, into);
    if (status != RecordStatus.USED && logged.size() < MOST) {
      fault(status)
          .filter(logged::add)
          .ifPresent(fault ->
              INSIDE.warn("a record is set aside as {}: {}; so are others like it", status, fault));
    }
    return status;
  }
}
