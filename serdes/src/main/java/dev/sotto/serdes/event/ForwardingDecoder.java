package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelTally;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaIds;
import java.util.Optional;

/** Another decoder, whole: what is built around one forgets nothing of what it can tell. */
public abstract class ForwardingDecoder implements EventDecoder {
  private final EventDecoder own;

  protected ForwardingDecoder(EventDecoder own) {
    this.own = own;
  }

  @Override
  public int dimension() {
    return own.dimension();
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    return own.decode(key, value, into);
  }

  @Override
  public SchemaIds schemaIds() {
    return own.schemaIds();
  }

  @Override
  public Optional<FeatureMap> featureMap() {
    return own.featureMap();
  }

  @Override
  public Optional<LabelTally> labels() {
    return own.labels();
  }

  @Override
  public void placedBy(RecordPlace place) {
    own.placedBy(place);
  }

  @Override
  public Optional<String> fault(RecordStatus status) {
    return own.fault(status);
  }

  @Override
  public Optional<String> fault(byte[] value, RecordStatus status) {
    return own.fault(value, status);
  }
}
