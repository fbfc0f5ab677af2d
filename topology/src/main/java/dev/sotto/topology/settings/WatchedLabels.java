package dev.sotto.topology.settings;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import dev.sotto.serdes.feature.LabelTally;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A decoder that says inside what is wrong with the labels, after a thousand records and each time
 * that there are ten times as many.
 */
final class WatchedLabels extends ForwardingDecoder {
  private static final Logger INSIDE = LoggerFactory.getLogger("inside.labels");
  private static final int FIRST = 1000;
  private static final int TIMES = 10;

  private final LabelTally labels;
  private final Consumer<String> faults;
  private long records;
  private long next = FIRST;

  /**
   * A decoder of labels.
   *
   * @param faults receives what is wrong with them
   */
  WatchedLabels(EventDecoder own, Consumer<String> faults) {
    super(own);
    this.labels = own.labels().orElseThrow();
    this.faults = faults;
  }

  /** A decoder; the same one where it knows no labels. */
  static EventDecoder of(EventDecoder decoder) {
    return decoder.labels().isEmpty()
        ? decoder
        : new WatchedLabels(decoder, each -> INSIDE.warn("of the records up to here {}", each));
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    RecordStatus status = super.decode(key, value, into);
    if (++records == next) {
      next *= TIMES;
      labels.faults().forEach(faults);
    }
    return status;
  }
}
