package dev.sotto.client;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Objective;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.EventMapReader;
import dev.sotto.serdes.event.FieldDecoder;
import dev.sotto.serdes.feature.LabelScale;
import dev.sotto.serdes.registry.SchemaIds;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

/**
 * Scores one event or vector after the other with one version of a model; what was predicted is
 * asked afterwards. Nothing is allocated on the way. Not safe for use by several threads.
 */
public final class Scorer {
  private final ScoringModel model;
  private final EventDecoder decoder; // null where events cannot be read
  private final Objective.Pass pass;
  private final double[] weights;
  private final Slot slot;
  private final double[] predictions;
  private final LabelScale label; // null where predictions are labels
  private EventMapReader maps; // made when the first map comes
  private boolean spread; // whether the predictions are those of the last vector

  Scorer(ScoringModel model, EventDecoder decoder) {
    this.model = model;
    this.decoder = decoder;
    this.pass = model.objective().pass();
    this.weights = model.published().weights();
    this.slot = new Slot(model.inputs());
    this.predictions = new double[model.objective().outputs()];
    this.label = model.labelScale().orElse(null);
  }

  /** The model. */
  public ScoringModel model() {
    return model;
  }

  /**
   * Scores the value of one event.
   *
   * @return {@link RecordStatus#USED}, or why nothing was predicted
   * @throws IllegalStateException where the model does not say how its events are read
   */
  public RecordStatus score(byte[] event) {
    if (decoder == null) {
      model.featureMap(); // says why
    }
    return predicted(decoder.decode(null, event, slot));
  }

  /**
   * Scores the value of one record, the id of whose schema may stand in a header where the model
   * learns from events that name their schemas.
   *
   * @return {@link RecordStatus#USED}, or why nothing was predicted
   * @throws IllegalStateException where the model does not say how its events are read
   */
  public RecordStatus score(byte[] event, Headers headers) {
    return score(framed(event, headers));
  }

  /** A record's value as this scorer reads it: with the id that stands in a header before it. */
  public byte[] framed(byte[] event, Headers headers) {
    SchemaIds ids = decoder == null ? SchemaIds.NONE : decoder.schemaIds();
    return ids.framed(
        name -> {
          Header last = headers.lastHeader(name);
          return last == null ? null : last.value();
        },
        event);
  }

  /**
   * Which field of an event that was not scored is wrong, what it must be and what it is, without
   * its value; empty where no field alone tells.
   *
   * @param event as it was given to {@link #score(byte[])}
   * @param status that was returned for it
   */
  public Optional<String> fault(byte[] event, RecordStatus status) {
    return decoder == null || status == RecordStatus.UNREADABLE
        ? Optional.empty()
        : decoder.fault(event, status);
  }

  /**
   * Which of the {@link ScoringModel#fields()} the event that was scored last does not have at all,
   * whether it may be without them or not; none where events have no fields, or it could not be
   * read.
   */
  public List<String> absentFields() {
    return decoder instanceof FieldDecoder fields
        ? fields.featureMap().map(map -> map.absent(fields.values())).orElse(List.of())
        : List.of();
  }

  /**
   * Scores an event that is a map from field names to values ({@link EventMapReader}).
   *
   * @return {@link RecordStatus#USED}, or why nothing was predicted
   * @throws IllegalStateException where the model does not say how its events are read
   */
  public RecordStatus score(Map<String, ?> event) {
    if (maps == null) {
      maps = new EventMapReader(model.featureMap());
    }
    return predicted(maps.read(null, event, slot));
  }

  /**
   * Scores a dense feature vector, as it is after the feature map: of norm at most 1.
   *
   * @param features {@link ScoringModel#inputs()} coordinates
   * @return {@link #prediction()}
   */
  public double score(double[] features) {
    if (features.length != model.inputs()) {
      throw new IllegalArgumentException(
          "features must have " + model.inputs() + " coordinates, but have " + features.length);
    }
    System.arraycopy(features, 0, slot.example().dense(), 0, features.length);
    forward();
    return pass.predicted();
  }

  /**
   * Scores a sparse feature vector, as it is after the feature map: of norm at most 1.
   *
   * @param indices of the coordinates that are not 0, each from 0 and below
   *     {@link ScoringModel#inputs()}
   * @param values as many
   * @return {@link #prediction()}
   */
  public double score(int[] indices, double[] values) {
    if (indices.length != values.length) {
      throw new IllegalArgumentException("indices and values must be as many, but are "
          + indices.length + " and " + values.length);
    }
    Example example = slot.example();
    example.clear();
    for (int i = 0; i < indices.length; i++) {
      if (indices[i] < 0 || indices[i] >= model.inputs()) {
        throw new IllegalArgumentException(
            "an index must be at least 0 and below " + model.inputs() + ", but was " + indices[i]);
      }
      example.add(indices[i], values[i]);
    }
    forward();
    return pass.predicted();
  }

  private RecordStatus predicted(RecordStatus status) {
    if (status == RecordStatus.USED) {
      forward();
    }
    return status;
  }

  private void forward() {
    pass.forward(slot.example(), weights);
    spread = false;
  }

  /**
   * What the learner predicts: the probability of label 1, or of the likeliest class, or the label
   * itself, on the scale on which it is learned (a label with bounds: from 0 to 1; one without: in
   * units of its range, from the middle of that).
   */
  public double prediction() {
    return pass.predicted();
  }

  /** {@link #prediction()} in the unit of the label's field. */
  public double value() {
    double predicted = pass.predicted();
    return label == null ? predicted : label.value(predicted);
  }

  /** The number of figures of a prediction: one, or a probability for each class. */
  public int outputs() {
    return predictions.length;
  }

  /**
   * One figure of the prediction.
   *
   * @param output from 0 and below {@link #outputs()}
   */
  public double output(int output) {
    if (!spread) {
      pass.predictions(predictions);
      spread = true;
    }
    return predictions[output];
  }

  /** The number of the likeliest class; 0 where there are no classes. */
  public int likeliest() {
    int likeliest = 0;
    for (int k = 1; k < predictions.length; k++) {
      likeliest = output(k) > output(likeliest) ? k : likeliest;
    }
    return likeliest;
  }
}
