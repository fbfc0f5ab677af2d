package dev.sotto.topology.settings;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.registry.RecordPlace;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A decoder that tells inside which fields of records were not as they must be, each once. */
final class TellingDecoder implements EventDecoder {
  private static final int MOST = 50;

  /** Tells what records hold. */
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.fields");

  private final EventDecoder own;
  private final Set<String> told = new HashSet<>();

  TellingDecoder(EventDecoder own) {
    this.own = own;
  }

  @Override
  public int dimension() {
    return own.dimension();
  }

  @Override
  public boolean readsSchemaHeaders() {
    return own.readsSchemaHeaders();
  }

  @Override
  public void placedBy(RecordPlace place) {
    own.placedBy(place);
  }

  @Override
  public Optional<String> fault(RecordStatus verdict) {
    return own.fault(verdict);
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus verdict = own.decode(key, value, into);
    if (verdict != RecordStatus.USED && told.size() < MOST) {
      own.fault(verdict)
          .filter(told::add)
          .ifPresent(fault -> INSIDE.warn(
              "a record is set aside as {}: {}; so are others like it", verdict, fault));
    }
    return verdict;
  }
}
