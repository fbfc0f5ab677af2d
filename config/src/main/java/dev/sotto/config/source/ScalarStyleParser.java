package dev.sotto.config.source;

import com.fasterxml.jackson.core.io.IOContext;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.io.Reader;
import org.yaml.snakeyaml.events.ScalarEvent;
import org.yaml.snakeyaml.nodes.Tag;

/** A YAML parser that knows which scalars their author made texts, by quotes or a tag. */
final class ScalarStyleParser extends YAMLParser {
  private ScalarStyleParser(IOContext context, Factory factory, Reader reader) {
    super(
        context,
        factory.getParserFeatures(),
        factory.getFormatParserFeatures(),
        factory.limits(),
        factory.getCodec(),
        reader);
  }

  static ScalarStyleParser of(String text) throws IOException {
    return (ScalarStyleParser) new Factory().createParser(text);
  }

  /** Whether the current token is a scalar in quotes, a block of lines, or tagged as a text. */
  boolean isText() {
    return _lastEvent instanceof ScalarEvent scalar
        && (scalar.getTag() == null
            ? !scalar.isPlain()
            : scalar.getTag().equals(Tag.STR.getValue()));
  }

  private static final class Factory extends YAMLFactory {
    private static final long serialVersionUID = 1;

    private org.yaml.snakeyaml.LoaderOptions limits() {
      return _loaderOptions;
    }

    @Override
    protected YAMLParser _createParser(Reader reader, IOContext context) {
      return new ScalarStyleParser(context, this, reader);
    }
  }
}
