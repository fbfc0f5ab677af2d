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
    place = new Identified(newPlace);
    super.placedBy(place);
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    LabelledEvent joined = LabelledEvent.decode(value);
    if ((joined == null ? place.offset() : joined.source().offset()) >= from) {
      happens.run();
    }
    return super.decode(key, value, into);
  }

  /** A place in a topic of which there is one in a run, as brokers would name it. */
  private record Identified(RecordPlace within) implements RecordPlace {
    @Override
    public String topic() {
      return within.isKnown() ? within.topic() : "made";
    }

    @Override
    public int partition() {
      return within.partition();
    }

    @Override
    public long offset() {
      return within.offset();
    }
  }
}
