package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.ForwardingDecoder;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.registry.RecordPlace;

/** Another decoder, before which something happens once an event from an offset on is decoded. */
final class RegisteringDecoder extends ForwardingDecoder {
  private final long from;
  private final Runnable happens;
  private RecordPlace place = RecordPlace.NONE;

  RegisteringDecoder(EventDecoder own, long from, Runnable happens) {
    super(own);
    this.from = from;
    this.happens = happens;
  }

  @Override
  public void placedBy(RecordPlace newPlace) {
    super.placedBy(newPlace);
    place = newPlace;
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    LabelledEvent joined = LabelledEvent.decode(value);
    if ((joined == null ? place.offset() : joined.source().offset()) >= from) {
      happens.run();
    }
    return super.decode(key, value, into);
  }
}
