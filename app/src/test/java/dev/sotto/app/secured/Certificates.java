package dev.sotto.app.secured;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An authority of a test's own, and a certificate for the brokers of this machine, both made by the
 * JDK's keytool.
 */
record Certificates(Path folder) {
  static final String PASSWORD = "store-secret";

  /** The name in the brokers' certificate, and so their principal among themselves. */
  static final String BROKERS = "CN=brokers";

  /**
   * Makes both.
   *
   * @param names what the brokers' certificate is for, as in {@code ip:127.0.0.1}
   */
  static Certificates make(Path folder, String names) throws IOException, InterruptedException {
    Files.createDirectories(folder);
    Certificates made = new Certificates(folder);
    made.keytool("ca.p12", "-genkeypair", "-alias", "ca", "-dname", "CN=authority", "-ext", "bc:c");
    made.keytool("ca.p12", "-exportcert", "-rfc", "-alias", "ca", "-file", made.file("ca.pem"));
    made.keytool("node.p12", "-genkeypair", "-alias", "node", "-dname", BROKERS);
    made.keytool("node.p12", "-certreq", "-alias", "node", "-file", made.file("node.csr"));
    made.keytool(
        "ca.p12",
        "-gencert",
        "-rfc",
        "-alias",
        "ca",
        "-ext",
        "san=" + names,
        "-infile",
        made.file("node.csr"),
        "-outfile",
        made.file("node.pem"));
    for (String each : List.of("ca", "node")) {
      made.keytool(
          "node.p12",
          "-importcert",
          "-noprompt",
          "-alias",
          each,
          "-file",
          made.file(each + ".pem"));
    }
    return made;
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  private void keytool(String store, String verb, String... more)
      throws IOException, InterruptedException {
    List<String> words = new ArrayList<>(List.of(
        Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
        verb,
        "-keystore",
        file(store),
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD));
    if (verb.equals("-genkeypair")) {
      words.addAll(List.of("-keyalg", "EC", "-groupname", "secp256r1", "-validity", "30"));
    }
    words.addAll(List.of(more));
    Path said = folder.resolve("keytool.out");
    int code = new ProcessBuilder(words)
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(said.toFile()))
        .start()
        .waitFor();
    if (code != 0) {
      throw new IOException("keytool " + verb + " ended with " + code + "; see " + said);
    }
  }

  /** Whom clients trust. */
  Path authority() {
    return folder.resolve("ca.pem");
  }

  /** How brokers show who they are, and whom they trust. */
  Map<String, String> ofBrokers() {
    return Map.of(
        "ssl.keystore.type",
        "PKCS12",
        "ssl.keystore.location",
        file("node.p12"),
        "ssl.keystore.password",
        PASSWORD,
        "ssl.key.password",
        PASSWORD,
        "ssl.truststore.type",
        "PEM",
        "ssl.truststore.location",
        authority().toString());
  }
}
