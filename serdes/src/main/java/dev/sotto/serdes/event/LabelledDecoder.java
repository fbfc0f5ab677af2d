package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.feature.LabelTally;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaIds;
import java.util.Optional;

/**
 * Labelled events: features, weight and unit are those of the record of features, the label is that
 * of the record that came later, and never one that stands among the features.
 */
public final class LabelledDecoder implements EventDecoder {
  private static final String NOT_JOINED = "it is no event with its label, as <app>.labelled holds"
      + " them; to replay a recording of the events alone, name one of the labels with --labels";

  private final FeatureMap map;
  private final FieldDecoder features;
  private final FieldDecoder labels;
  private final MissingLabel missing;
  private final LabelTally tally;

  /**
   * A decoder.
   *
   * @param features reads the values of features, by the paths of the map
   * @param labels another one for those of labels
   */
  public LabelledDecoder(
      FeatureMap map, FieldDecoder features, FieldDecoder labels, MissingLabel missing) {
    if (features == labels) {
      throw new IllegalArgumentException("features and labels must have a decoder each");
    }
    this.map = map;
    this.features = features;
    this.labels = labels;
    this.missing = missing;
    this.tally = map.labels().orElseThrow();
  }

  @Override
  public int dimension() {
    return map.dimension();
  }

  @Override
  public Optional<FeatureMap> featureMap() {
    return Optional.of(map);
  }

  @Override
  public Optional<LabelTally> labels() {
    return map.labels();
  }

  /** Of the users' records of features and labels, before they are joined. */
  @Override
  public SchemaIds schemaIds() {
    return features.schemaIds();
  }

  @Override
  public void placedBy(RecordPlace place) {
    features.placedBy(place);
    labels.placedBy(place);
  }

  /** An event without its label, as in a recording of the events alone. */
  @Override
  public Optional<String> fault(byte[] value, RecordStatus status) {
    return status == RecordStatus.UNREADABLE && LabelledEvent.decode(value) == null
        ? Optional.of(NOT_JOINED)
        : Optional.empty();
  }

  @Override
  public RecordStatus decode(byte[] key, byte[] value, Slot into) {
    LabelledEvent event = LabelledEvent.decode(value);
    if (event == null) {
      return empty(value == null ? RecordStatus.EMPTY : RecordStatus.UNREADABLE, into);
    }
    return switch (event.join()) {
      case NO_ID, REPEATED -> empty(RecordStatus.NOT_JOINED, into);
      case TOO_LARGE -> empty(RecordStatus.TOO_LARGE, into);
      case MISSING -> {
        tally.sawNone(missing == MissingLabel.NEGATIVE);
        yield missing == MissingLabel.EMPTY
            ? empty(RecordStatus.NO_LABEL, into)
            : fill(key, event, null, into);
      }
      case LABELLED -> {
        tally.joined();
        RecordStatus status = labels.read(event.label());
        yield status == RecordStatus.USED
            ? fill(key, event, labels.values(), into)
            : empty(status, into);
      }
    };
  }

  private RecordStatus fill(byte[] key, LabelledEvent event, FieldValues label, Slot into) {
    RecordStatus status = features.read(event.features());
    return status == RecordStatus.USED
        ? map.fill(key, features.values(), label, into)
        : empty(status, into);
  }

  private static RecordStatus empty(RecordStatus status, Slot into) {
    into.clear();
    return into.status(status);
  }
}
