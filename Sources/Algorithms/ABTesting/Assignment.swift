/// Where ids stand in an experiment: each in one place of 0..<1, for ever.
///
/// The place is the upper 53 bits of SipHash-2-4 of the id's UTF-8, under a key made of the salt:
/// two experiments with different salts shuffle the same ids independently of each other. The key's
/// halves are the hashes of the salt followed by a byte 0 and a byte 1, under the key 0.
public struct Shuffle: Hashable, Sendable {
  /// What tells this experiment's shuffle from any other's.
  public let salt: String
  private let key0, key1: UInt64

  /// Makes the shuffle that belongs to a salt: the experiment's name, say.
  ///
  /// Salts are compared as bytes: two spellings of the same letter are different salts.
  public init(salt: String) {
    self.salt = salt
    key0 = SipHash.hash(Array(salt.utf8) + [0], key0: 0, key1: 0)
    key1 = SipHash.hash(Array(salt.utf8) + [1], key0: 0, key1: 0)
  }

  /// The id's place, 0..<1.
  ///
  /// - Complexity: O(*n*) for an id of *n* bytes.
  public func place(of id: String) -> Double {
    Double(SipHash.hash(id.utf8, key0: key0, key1: key1) >> 11) * 0x1p-53
  }
}

/// A change that a share of all ids has.
///
/// ```swift
/// var rollout = try Rollout(salt: "new-spine-finder", share: 0.05)
/// let hasChange = rollout.includes("user 4711")
/// try rollout.set(share: 0.25)   // nobody who had it loses it
/// rollout.rollBack()             // nobody has it any more
/// ```
///
/// An id has the change where its place in the ``Shuffle`` is below the share. A growing share
/// therefore only adds ids, a shrinking one only removes the last that came, and the same share has
/// the same ids again.
///
/// As JSON it is its salt and its share, so an app can fetch it and need no update to roll back.
public struct Rollout: Hashable, Sendable {
  /// Where ids stand.
  public let shuffle: Shuffle
  /// The share of ids that have the change, 0...1.
  public private(set) var share: Double

  /// Makes a rollout.
  ///
  /// - Throws: ``ExperimentError/shareOutOfRange(_:atMost:)`` for a share that is NaN or outside
  ///   0...1.
  public init(salt: String, share: Double) throws(ExperimentError) {
    shuffle = Shuffle(salt: salt)
    self.share = 0
    try set(share: share)
  }

  /// Gives the change to another share of ids.
  ///
  /// - Throws: as ``init(salt:share:)``; the share then stays as it was.
  public mutating func set(share: Double) throws(ExperimentError) {
    guard share >= 0, share <= 1 else { throw .shareOutOfRange(share, atMost: 1) }
    self.share = share
  }

  /// Takes the change away from all ids at once: share 0.
  public mutating func rollBack() { share = 0 }

  /// Whether an id has the change.
  public func includes(_ id: String) -> Bool { shuffle.place(of: id) < share }
}

extension Rollout: Codable {
  private enum CodingKeys: String, CodingKey {
    case salt, share
  }

  /// Reads a salt and a share, as in `{"salt": "new-spine-finder", "share": 0.05}`.
  ///
  /// - Throws: `DecodingError`; for a share outside 0...1 its underlying error is the
  ///   ``ExperimentError``.
  public init(from decoder: any Decoder) throws {
    let fields = try decoder.container(keyedBy: CodingKeys.self)
    let salt = try fields.decode(String.self, forKey: .salt)
    let share = try fields.decode(Double.self, forKey: .share)
    do {
      try self.init(salt: salt, share: share)
    } catch {
      throw DecodingError.dataCorrupted(
        .init(
          codingPath: fields.codingPath + [CodingKeys.share], debugDescription: "\(error)",
          underlyingError: error))
    }
  }

  /// Writes the salt and the share.
  public func encode(to encoder: any Encoder) throws {
    var fields = encoder.container(keyedBy: CodingKeys.self)
    try fields.encode(shuffle.salt, forKey: .salt)
    try fields.encode(share, forKey: .share)
  }
}

/// Several treatments against what there was before.
///
/// The places of the ``Shuffle`` are divided into equal parts, one for each treatment, in the order
/// given. Each treatment has its share from the beginning of its part. What is left over is the
/// control. So no id ever changes from one treatment to another, whichever shares grow or shrink.
/// The price is that none of *k* treatments can have more than 1/*k*.
public struct Experiment: Hashable, Sendable {
  /// One of the things that are tried.
  public struct Treatment: Hashable, Sendable {
    /// What it is called.
    public var name: String
    /// The share of ids that have it, 0...1/*k* for *k* treatments.
    public var share: Double

    /// Makes a treatment.
    public init(name: String, share: Double) {
      self.name = name
      self.share = share
    }
  }

  /// Where ids stand.
  public let shuffle: Shuffle
  /// What is tried, at least one, all with different names.
  public let treatments: [Treatment]

  /// Makes an experiment.
  ///
  /// To roll one treatment back, make the experiment with its share 0. To end it, keep it in its
  /// place with share 0, because with one treatment fewer the parts would be different.
  ///
  /// - Throws: ``ExperimentError`` for no treatment, two of one name, or a share outside its range.
  public init(salt: String, treatments: [Treatment]) throws(ExperimentError) {
    guard !treatments.isEmpty else { throw .noTreatment }
    // 1/k and k parts of it need not agree in the last bit: place times k decides, against share
    // times k.
    let most = 1 / Double(treatments.count)
    var names: Set<String> = []
    for treatment in treatments {
      guard names.insert(treatment.name).inserted else { throw .sameName(treatment.name) }
      guard treatment.share >= 0, treatment.share <= most else {
        throw .shareOutOfRange(treatment.share, atMost: most)
      }
    }
    shuffle = Shuffle(salt: salt)
    self.treatments = treatments
  }

  /// The treatment an id has, nil for the control.
  public func treatment(of id: String) -> Treatment? {
    let count = Double(treatments.count)
    let place = shuffle.place(of: id) * count
    let index = min(Int(place), treatments.count - 1)
    let treatment = treatments[index]
    return place - Double(index) < treatment.share * count ? treatment : nil
  }
}
