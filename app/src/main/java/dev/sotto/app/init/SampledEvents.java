package dev.sotto.app.init;

import java.util.List;

/** What was learned of events by looking at some of them, or at their schema. */
public final class SampledEvents {
  private final Sample sample;
  private final AvroFields avro; // null unless they are Avro
  private final ExampleFields examples; // null unless they are ready-made
  private final boolean labelsBySign;

  private SampledEvents(
      Sample sample, AvroFields avro, ExampleFields examples, boolean labelsBySign) {
    this.sample = sample;
    this.avro = avro;
    this.examples = examples;
    this.labelsBySign = labelsBySign;
  }

  static SampledEvents ofJson(Sample sample) {
    return new SampledEvents(sample, null, null, false);
  }

  static SampledEvents ofAvro(Sample sample, AvroFields avro) {
    return new SampledEvents(sample, avro, null, false);
  }

  static SampledEvents ofExamples(Sample sample, ExampleFields examples, boolean labelsBySign) {
    return new SampledEvents(sample, null, examples, labelsBySign);
  }

  Sample sample() {
    return sample;
  }

  /** Whether they are ready-made examples, without fields. */
  boolean isReadyMade() {
    return examples != null;
  }

  /** Whether labels are read as 0 and 1 by their sign. */
  boolean hasLabelsBySign() {
    return labelsBySign;
  }

  /** Of ready-made examples of a public sample: the largest index, from 1. */
  int largestIndex() {
    return examples.largestIndex();
  }

  /** Whether there were Avro records without a header. */
  boolean isRawAvro() {
    return avro != null && avro.isRaw();
  }

  /**
   * What is to be known of fields whose records do not agree, in one sentence each.
   *
   * @param label path of the label; null where it is not stated
   * @param unit path of the unit's id; as well
   */
  public List<String> notes(String label, String unit) {
    return sample.notes(label, unit);
  }

  /** Records that were looked at, those that could not be read among them. */
  public long records() {
    return sample.records();
  }

  /** Records that could not be read. */
  public long unreadableRecords() {
    return sample.unreadableRecords();
  }

  /** Which record was the first that could not be read, and why; empty where there is none. */
  public String firstFault() {
    return sample.firstFault();
  }
}
