package dev.sotto.serdes.record;

/** The codecs of what coordinator and workers of the rounds layout send each other. */
public final class RoundCodecs {
  public static final RecordCodec<RoundGenesis> GENESIS = RecordCodec.of(RoundGenesis.class);

  public static final RecordCodec<RoundPoint> POINT = RecordCodec.of(RoundPoint.class);

  public static final RecordCodec<RoundPart> PART = RecordCodec.of(RoundPart.class);

  private RoundCodecs() {}
}
